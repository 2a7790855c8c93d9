# hinge-config.cmake - find_package(hinge) of CMake: the targets hinge::hinge, which is the shared library where there
# is one, and hinge::static. This file is installed as PREFIX/LIBDIR/cmake/hinge/hinge-config.cmake, where LIBDIR has
# one or two parts, such as lib.
get_filename_component(hinge_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(hinge_headers hinge.h NO_DEFAULT_PATH HINTS "${hinge_libraries}/../include" "${hinge_libraries}/../../include")
mark_as_advanced(hinge_headers)
if(NOT TARGET hinge::static)
    find_package(OpenMP QUIET COMPONENTS C)
    add_library(hinge::static STATIC IMPORTED)
    set_target_properties(hinge::static PROPERTIES
        IMPORTED_LOCATION "${hinge_libraries}/libhinge.a"
        INTERFACE_INCLUDE_DIRECTORIES "${hinge_headers}"
        INTERFACE_LINK_LIBRARIES "m;$<$<BOOL:${OpenMP_C_FOUND}>:${OpenMP_C_LIBRARIES}>")
    if(EXISTS "${hinge_libraries}/libhinge.so")
        add_library(hinge::hinge SHARED IMPORTED)
        set_target_properties(hinge::hinge PROPERTIES
            IMPORTED_LOCATION "${hinge_libraries}/libhinge.so"
            INTERFACE_INCLUDE_DIRECTORIES "${hinge_headers}")
    else()
        add_library(hinge::hinge INTERFACE IMPORTED)
        set_target_properties(hinge::hinge PROPERTIES INTERFACE_LINK_LIBRARIES hinge::static)
    endif()
endif()
