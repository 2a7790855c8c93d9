# browser.sh - reports in headless Chromium, as wide as a screen and as a telephone, light and dark: axe-core finds no
# violation, texts of a picture stay inside it and do not overlap, the page is not wider than the window, and the
# console stays empty. Needs chromium, and npm, which fetches axe-core.
# shellcheck shell=sh

axe=$ROOT/build/npm/node_modules/axe-core/axe.min.js
if ! command -v chromium >/dev/null 2>&1; then
    skips 'reports in a browser' 'chromium is not installed'
    return
fi
if [ ! -f "$axe" ] &&
    ! npm install --silent --no-audit --no-fund --prefix "$ROOT/build/npm" axe-core >/dev/null 2>&1; then
    skips 'reports in a browser' 'npm cannot fetch axe-core'
    return
fi
cp "$axe" axe.js
cat >check.js <<'END'
window.addEventListener("load", async () => {
    const found = []
    const over = (a, b) => a.width && b.width && a.left < b.right - 1 && b.left < a.right - 1 &&
        a.top < b.bottom - 4 && b.top < a.bottom - 4
    for (const svg of document.querySelectorAll("svg")) {
        const box = svg.getBoundingClientRect()
        const texts = [...svg.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()])
        texts.forEach(([text, a], i) => {
            if (a.width && (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 ||
                a.bottom > box.bottom + 1)) found.push("outside: " + text)
            for (const [other, b] of texts.slice(0, i)) if (over(a, b)) found.push(text + " over " + other)
        })
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window")
    for (const e of document.querySelectorAll("svg text"))
        if (parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a < 12) { found.push("small letters"); break }
    document.querySelectorAll("details").forEach(d => d.open = true)
    for (const v of (await axe.run()).violations) found.push(v.id + ": " + v.nodes[0].html.slice(0, 100))
    parent.postMessage(["found " + found.length + " in " + innerWidth].concat(found.slice(0, 9)).join("\n"), "*")
})
END

# looks NAME PAGE: checks the page at each width, light and dark, inside a frame of that width, because no window is
# narrower than 500 pixels.
looks() {
    for scheme in light dark; do
        for width in 1280 390; do
            sed "s/prefers-color-scheme:dark/prefers-color-scheme:$([ $scheme = dark ] && echo light || echo dark)/
                s|</head>|<script src=\"axe.js\"></script><script src=\"check.js\"></script></head>|" "$2" >seen.html
            {
                echo '<!DOCTYPE html><body><script>'
                echo 'onmessage = message => document.querySelector("pre").textContent = message.data</script>'
                echo "<iframe style='border:0' width='$width' height='900' src='seen.html'></iframe>"
                echo '<pre></pre>'
            } >frame.html
            timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,1000 \
                --virtual-time-budget=60000 --enable-logging=stderr --user-data-dir="$PWD/profile" \
                --dump-dom "file://$PWD/frame.html" >dom 2>log
            same "$1, $width pixels, $scheme: what is wrong" "found 0 in $width" \
                "$(sed -n '/<pre>/,/<\/pre>/p' dom | sed 's/<[^>]*>//g; /^$/d')"
            same "$1, $width pixels, $scheme: the console" '' "$(grep -o 'CONSOLE.*' log)"
        done
    done
}

run train -q -C --c-range -4:4 --refit --report page.html "$CANCER" model
looks 'a search and a model' page.html
run predict --report page.html "$CANCER" model labels
looks 'predictions' page.html
run train -q -v 3 --report page.html "$DIGITS"
looks 'ten classes' page.html
run train -q -s 11 -v 3 --report page.html "$CANCER"
looks 'a regression' page.html
