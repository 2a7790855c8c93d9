# hinge-config.cmake - find_package(hinge) of CMake: the targets hinge::hinge, which is the shared library where there
# is one, and hinge::static. This file is installed as PREFIX/lib/cmake/hinge/hinge-config.cmake.
get_filename_component(hinge_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hinge::static)
    find_package(OpenMP QUIET COMPONENTS C)
    add_library(hinge::static STATIC IMPORTED)
    set_target_properties(hinge::static PROPERTIES
        IMPORTED_LOCATION "${hinge_prefix}/lib/libhinge.a"
        INTERFACE_INCLUDE_DIRECTORIES "${hinge_prefix}/include"
        INTERFACE_LINK_LIBRARIES "m;$<$<BOOL:${OpenMP_C_FOUND}>:${OpenMP_C_LIBRARIES}>")
    if(EXISTS "${hinge_prefix}/lib/libhinge.so")
        add_library(hinge::hinge SHARED IMPORTED)
        set_target_properties(hinge::hinge PROPERTIES
            IMPORTED_LOCATION "${hinge_prefix}/lib/libhinge.so"
            INTERFACE_INCLUDE_DIRECTORIES "${hinge_prefix}/include")
    else()
        add_library(hinge::hinge INTERFACE IMPORTED)
        set_target_properties(hinge::hinge PROPERTIES INTERFACE_LINK_LIBRARIES hinge::static)
    endif()
endif()
