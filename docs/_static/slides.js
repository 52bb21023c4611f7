// Chapters as slides: the button at the top of the page, or the key s. Arrow keys, space and the buttons change the
// slide, Escape returns to the page. A slide is a section; printed, each begins on a new sheet.

{
    const start = () => {
        const top = document.querySelector("article[role=main] > section, [role=main] section");
        if (!top) {
            return;
        }
        let slides = [];
        let at = 0;

        const made = (name, attributes, ...children) => {
            const element = Object.assign(document.createElement(name), attributes);
            element.append(...children);
            return element;
        };
        const open = made("button", { type: "button", className: "slides-open", textContent: "Show as slides (s)" });
        const place = made("span", { className: "slides-place" });
        place.setAttribute("role", "status");
        const button = (text, press) => made("button", { type: "button", textContent: text, onclick: press });
        const bar = made("div", { className: "slides-bar", hidden: true },
            button("Back", () => show(at - 1)), place, button("Next", () => show(at + 1)), button("Close", () => close()));
        bar.setAttribute("role", "group");
        bar.setAttribute("aria-label", "Slides");

        const show = (number) => {
            at = Math.max(0, Math.min(slides.length - 1, number));
            slides.forEach((slide, i) => slide.classList.toggle("slide-shown", i === at));
            place.textContent = `${at + 1} of ${slides.length}`;
            window.scrollTo(0, 0);
        };
        // The beginning of the chapter becomes a section of its own, so that every slide is one element.
        const begin = () => {
            const before = top.querySelector(":scope > .slide-first");
            if (!before) {
                const first = made("div", { className: "slide-first" });
                top.prepend(first);
                while (first.nextSibling && first.nextSibling.nodeName !== "SECTION") {
                    first.append(first.nextSibling);
                }
            }
            slides = [...top.children].filter((part) => part.matches(".slide-first, section"));
            const visible = slides.findLastIndex((slide) => slide.getBoundingClientRect().top < 120);
            document.body.classList.add("slides");
            bar.hidden = false;
            show(Math.max(0, visible));
        };
        const close = () => {
            document.body.classList.remove("slides");
            bar.hidden = true;
            slides[at].scrollIntoView();
            open.focus({ preventScroll: true });
        };

        open.addEventListener("click", begin);
        top.before(open);
        document.body.append(bar);
        document.addEventListener("keydown", (event) => {
            const typing = event.target.matches?.("input, textarea, select, [contenteditable]");
            if (event.ctrlKey || event.metaKey || event.altKey || typing) {
                return;
            }
            if (!document.body.classList.contains("slides")) {
                if (event.key === "s") {
                    begin();
                }
                return;
            }
            const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
            const onBoard = event.target.matches?.(".figure *"); // arrow keys move on a figure's board
            if (step && !onBoard) {
                event.preventDefault();
                show(at + step);
            } else if (event.key === "Escape") {
                close();
            }
        });
    };
    document.addEventListener("DOMContentLoaded", start);
}
