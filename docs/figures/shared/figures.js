// Replaces the static drawing of a figure by the live figure when it comes near the visible part of the page.
// A figure NAME is the module NAME.js, whose function mount(root, variant) fills the element it is given. A page that
// includes the drawing as NAME.svg#VARIANT chooses a variant.

{
    const script = document.currentScript.src;

    const start = async (root) => {
        const modules = [`../${root.dataset.figure}.js`, "legend.js"].map((name) => import(new URL(name, script)));
        const [{ mount }, { legend }] = await Promise.all(modules);
        root.figure = mount(root, root.dataset.variant); // tests read the state there
        root.append(...legend(root.dataset.figure));
        root.classList.add("live");
    };

    const watcher = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
            if (isIntersecting) {
                watcher.unobserve(target);
                start(target);
            }
        }
    }, { rootMargin: "800px" });

    if (location.protocol !== "file:") { // browsers load no modules from files: the drawings stay
        document.querySelectorAll("[data-figure]").forEach((root) => watcher.observe(root));
    }
}
