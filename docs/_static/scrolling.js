// What is wider than the page scrolls by itself. Give it a place in the order of the keyboard, so that keys scroll it, too.
{
    const place = () => document.querySelectorAll("article pre, article .table-wrapper").forEach((part) => {
        if (part.scrollWidth > part.clientWidth) {
            part.tabIndex = 0;
        } else {
            part.removeAttribute("tabindex");
        }
    });
    document.addEventListener("DOMContentLoaded", place);
    window.addEventListener("resize", place);
}
