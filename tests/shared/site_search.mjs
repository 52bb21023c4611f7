// Search a built site with the code that the site loads: node site_search.mjs SITE QUERY... prints the pages found, as JSON.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [site, ...queries] = process.argv.slice(2);
const element = () => ({ remove() {}, lastChild: null, children: [], setAttribute() {}, appendChild() {}, textContent: "" });
const window = { location: { search: "", pathname: "/search.html" }, addEventListener() {} };
const document = {
    getElementById: element, querySelector: () => null, querySelectorAll: () => [], addEventListener() {}, createElement: element,
    documentElement: { dataset: {} }, readyState: "loading",
};
const context = vm.createContext({ window, document, URLSearchParams, console, setTimeout, localStorage: { setItem() {}, getItem() {} } });
context.globalThis = context;
const load = (name) => vm.runInContext(readFileSync(`${site}/${name}`, "utf8"), context);
vm.runInContext("var _ready = () => {}; var SPHINX_HIGHLIGHT_ENABLED = false; var DOCUMENTATION_OPTIONS = {}; var Documentation = { ngettext: (a) => a }; var _ = (a) => a;", context);
load("_static/language_data.js");
vm.runInContext("var Stemmer = window.Stemmer ?? Stemmer;", context);
load("_static/searchtools.js");
load("searchindex.js");
const found = queries.map((query) => {
    window.location.search = `?q=${encodeURIComponent(query)}`;
    context.query = query;
    // The best result is the last, from which the page takes them.
    return vm.runInContext("Search._performSearch(...Search._parseQuery(query))", context).reverse()
        .slice(0, 6).map(([page, title, anchor, , score]) => [page + anchor, title, score]);
});
console.log(JSON.stringify(found));
