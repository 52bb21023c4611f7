// The order of search results: a page or section whose title has more of the searched words comes first. Sphinx puts this
// text before its own search; a result is [page, title, anchor, description, score, file, kind].
var Scorer = {
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
    titleWord: 20,

    stems: (text) => new Set((text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []).map((word) => new Stemmer().stemWord(word))),

    score: ([page, title, anchor, , score, , kind]) => {
        const words = Scorer.stems(new URLSearchParams(window.location.search).get("q") ?? "");
        const own = Scorer.stems(title.split(" > ").at(-1));
        const found = [...words].filter((word) => own.has(word)).length;
        const isRecipe = /^(recipes\/.|install|faq)/.test(page);
        return score + (kind === "object" ? 0 : Scorer.titleWord * found / (words.size || 1) + (found && isRecipe ? 5 : 0)
            - (anchor ? 1 : 0));
    },
};
