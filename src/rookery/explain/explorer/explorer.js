// What one can do on the page. All that is typed or stands in the address is read strictly and shown as text.

(() => {
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const byId = (id) => document.getElementById(id);
    const START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    const state = {
        technique: "magic-fancy", piece: "rook", square: 27, mapping: "rank-little-little", pieces: readFen(START),
        step: 1, factor: null,
    };
    const loaded = new Map();
    let told = { steps: [], operations: 0 };
    let lines = 0n; // what the piece sees on the empty board, its square, and all that is occupied
    let turned = {}; // where a line lies on each turned board
    let playing = 0;
    let asked = 0;

    // Reading.

    function readFen(text) {
        const ranks = text.trim().split(/\s+/)[0].split("/");
        if (ranks.length !== 8) {
            throw new Error(`FEN: ${ranks.length} ranks, expected 8`);
        }
        const pieces = new Map();
        ranks.forEach((rank, i) => {
            let file = 0;
            for (const sign of rank) {
                if (/[1-8]/.test(sign)) {
                    file += Number(sign);
                } else if (/[pnbrqk]/i.test(sign)) {
                    pieces.set(8 * (7 - i) + file++, sign);
                } else {
                    throw new Error(`FEN, rank ${8 - i}: unexpected "${sign}", expected one of PNBRQKpnbrqk or 1 to 8`);
                }
            }
            if (file !== 8) {
                throw new Error(`FEN, rank ${8 - i}: ${file} squares, expected 8`);
            }
        });
        return pieces;
    }

    function writeFen() {
        const ranks = [];
        for (let rank = 7; rank >= 0; rank--) {
            let text = "";
            for (let file = 0; file < 8; file++) {
                text += state.pieces.get(8 * rank + file) ?? "1";
            }
            ranks.push(text.replace(/1+/g, (empty) => String(empty.length)));
        }
        return ranks.join("/");
    }

    function readFactor(text) {
        if (!/^0x[0-9a-f]{1,16}$/i.test(text.trim())) {
            throw new Error("Factor: expected a number like 0x0008001010010200");
        }
        return BigInt(text.trim());
    }

    function readAddress() {
        const given = new URLSearchParams(location.hash.slice(1));
        const one = (name, known) => (known.includes(given.get(name)) ? given.get(name) : state[name]);
        state.technique = one("technique", data.cards.map((card) => card.name));
        state.piece = one("piece", ["rook", "bishop", "queen"]);
        state.mapping = one("mapping", Object.keys(data.mappings));
        const square = NAMES.indexOf(given.get("square"));
        state.square = square < 0 ? state.square : square;
        const step = Number(given.get("step"));
        state.step = Number.isInteger(step) && step > 0 ? step : 1;
        try {
            state.pieces = given.has("fen") ? readFen(given.get("fen").slice(0, 120)) : state.pieces;
            state.factor = given.has("factor") ? readFactor(given.get("factor")) : null;
        } catch (fault) {
            say(`Address: ${fault.message}`);
        }
    }

    function writeAddress() {
        const { technique, piece, mapping, step, factor } = state;
        const words = new URLSearchParams({ technique, piece, square: NAMES[state.square], fen: writeFen(), mapping, step });
        if (factor !== null) {
            words.set("factor", `0x${factor.toString(16).padStart(16, "0")}`);
        }
        history.replaceState(null, "", `#${words}`);
    }

    function say(text) {
        byId("message").textContent = text;
    }

    // Running.

    async function inflated(name) {
        const packed = byId(`program-${name}`).textContent;
        const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
        return JSON.parse(await new Response(stream).text());
    }

    async function load(name) {
        const program = await inflated(name);
        const url = URL.createObjectURL(new Blob([program.module], { type: "text/javascript" }));
        try {
            return { program, module: await import(url) };
        } finally {
            URL.revokeObjectURL(url);
        }
    }

    function kernels(name) {
        if (!loaded.has(name)) {
            loaded.set(name, load(name));
        }
        return loaded.get(name);
    }

    function places() {
        return data.mappings[state.mapping];
    }

    function occupiedWord() {
        return wordOf([...state.pieces.keys()], places());
    }

    function attacksOf(module, occupied) {
        return module[`${state.piece}Attacks`](places()[state.square], occupied);
    }

    async function ask() {
        const mine = ++asked;
        const { program, module } = await kernels(state.technique);
        if (mine !== asked) {
            return;
        }
        const occupied = occupiedWord();
        told = explained(program, module.tables, state.piece, places()[state.square], occupied);
        const answer = attacksOf(module, occupied);
        lines = attacksOf(module, 0n) | occupied | (1n << BigInt(places()[state.square]));
        turned = told.steps.some((step) => step.parts.some((part) => turnedName(part.text)))
            ? turnedLines(program, module.tables, state.piece, places()[state.square])
            : {};
        if (told.steps.at(-1).word !== answer) {
            say("The steps and the exported kernel differ: please report this page's address.");
        }
        state.step = Math.min(state.step, told.steps.length);
        const card = data.cards.find(({ name }) => name === state.technique);
        byId("about").textContent = `${card.name}: ${card.summary}. ${card.origin}`;
        drawPosition(answer);
        drawStep();
        drawMagic(module, occupied);
        writeAddress();
    }

    // The position.

    const squares = [];

    function makeBoard() {
        for (let rank = 7; rank >= 0; rank--) {
            const row = element("div", {});
            row.setAttribute("role", "row");
            for (let file = 0; file < 8; file++) {
                const square = 8 * rank + file;
                const button = element("button", { type: "button", tabIndex: -1 });
                button.setAttribute("role", "gridcell");
                button.classList.toggle("dark", (rank + file) % 2 === 0);
                if (rank === 0) {
                    button.dataset.file = "abcdefgh"[file];
                }
                if (file === 0) {
                    button.dataset.rank = String(rank + 1);
                }
                button.addEventListener("click", () => {
                    focusOn(square);
                    if (document.querySelector("input[name=mode]:checked").value === "piece") {
                        putSlider(square);
                    } else {
                        toggle(square);
                    }
                });
                button.addEventListener("keydown", (event) => keyOn(event, square));
                squares[square] = button;
                row.append(button);
            }
            byId("board").append(row);
        }
        squares[state.square].tabIndex = 0;
    }

    function focusOn(square) {
        squares.forEach((button, i) => {
            button.tabIndex = i === square ? 0 : -1;
        });
        squares[square].focus();
    }

    function keyOn(event, square) {
        const moves = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
        if (event.key in moves) {
            const [right, up] = moves[event.key];
            const [file, rank] = [(square % 8) + right, (square >> 3) + up];
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                focusOn(8 * rank + file);
            }
        } else if (event.key === " " || event.key === "Enter") {
            toggle(square);
        } else if (event.key === "s" || event.key === "S") {
            putSlider(square);
        } else {
            return;
        }
        event.preventDefault();
    }

    function toggle(square) {
        if (!state.pieces.delete(square)) {
            state.pieces.set(square, "p");
        }
        say("");
        ask();
    }

    function putSlider(square) {
        state.square = square;
        say("");
        ask();
    }

    function drawPosition(answer) {
        const seen = new Set(squaresOf(answer, places()));
        const sliders = { rook: "R", bishop: "B", queen: "Q" };
        squares.forEach((button, square) => {
            const letter = square === state.square ? sliders[state.piece] : state.pieces.get(square);
            const piece = letter
                ? `${letter === letter.toUpperCase() ? "white" : "black"} ${PIECES[letter.toLowerCase()]}`
                : "empty";
            const words = [NAMES[square], piece];
            if (square === state.square) {
                words.push("the piece in question");
            }
            if (seen.has(square)) {
                words.push("attacked");
            }
            button.setAttribute("aria-label", words.join(", "));
            button.classList.toggle("seen", seen.has(square));
            button.classList.toggle("occupied", Boolean(letter));
            button.classList.toggle("chosen", square === state.square);
            const drawn = letter
                ? [svgElement("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, pieceShape(data.shapes, letter))]
                : [];
            button.replaceChildren(...drawn);
        });
        if (document.activeElement !== byId("fen")) {
            byId("fen").value = writeFen();
        }
        byId("technique").value = state.technique;
        byId("piece").value = state.piece;
        byId("mapping").value = state.mapping;
    }

    // Steps.

    function numberText(part) {
        const where = part.table ? ` (${part.table}[${part.slot.toLocaleString("en")}])` : "";
        if (part.kind === "square" && ["sq", "s", "square"].includes(part.text) && part.word < 64n) {
            return `${part.text} = ${part.word} (${NAMES[places().indexOf(Number(part.word))]})`;
        }
        const binary = part.word > 9n && part.word < 1n << 20n ? ` = 0b${part.word.toString(2)}` : "";
        const value = part.word >= 1n << 20n ? `0x${part.word.toString(16).padStart(16, "0")}` : String(part.word);
        return `${part.text}${where} = ${value}${binary}`;
    }

    function partsOf(step) {
        const parts = [...step.parts];
        if (step.what === "assigned" || step.what === "returned") {
            const own = { text: step.what === "assigned" ? step.variable : "the answer", word: step.word, kind: step.kind };
            const entry = parts.at(-1);
            if (entry?.table && entry.word === step.word) {
                parts.pop();
                Object.assign(own, { table: entry.table, slot: entry.slot, slots: entry.slots });
            }
            parts.push(own);
        }
        return [...new Map(parts.map((part) => [part.text, part])).values()];
    }

    function pictureOf(part) {
        // What lies elsewhere, a product or a turned board, has nothing to do with what stands on the squares.
        const line = turned[turnedName(part.text)] ?? 0n;
        const elsewhere = part.marked || line || part.text.includes(" * ") || part.word & ~lines;
        const occupied = elsewhere ? [] : [...state.pieces.keys()];
        const shown = ["occupied", "the answer"].includes(part.text);
        return boardPicture({
            word: part.word, places: places(), occupied, marked: part.marked ?? 0n, line, chosen: state.square,
            letter: shown ? { rook: "R", bishop: "B", queen: "Q" }[state.piece] : "", shapes: data.shapes,
            title: `${part.text}: ${squaresOf(part.word, places()).map((square) => NAMES[square]).join(" ") || "empty"}`,
        });
    }

    function drawStep() {
        const step = told.steps[state.step - 1];
        const slider = byId("slider");
        slider.max = told.steps.length;
        slider.value = state.step;
        byId("count").textContent = `${state.step} of ${told.steps.length}`;
        byId("back").disabled = state.step === 1;
        byId("forward").disabled = state.step === told.steps.length;
        const parts = partsOf(step);
        const boards = element("div", { className: "boards" });
        for (const part of parts.filter(({ kind }) => kind === "board")) {
            const where = part.table
                ? ` ${part.table}[${part.slot.toLocaleString("en")}] of ${part.slots.toLocaleString("en")}`
                : "";
            const word = element("code", {}, `0x${part.word.toString(16).padStart(16, "0")}`);
            boards.append(figureOf(pictureOf(part), element("code", {}, part.text), where, element("br"), word));
        }
        const numbers = parts.filter(({ kind }) => kind !== "board").map((part) => element("li", {},
            element("code", {}, numberText(part))));
        byId("step").replaceChildren(
            element("h3", {}, element("code", {}, step.code)),
            element("p", {}, step.sentence, " ", element("small", {}, `${step.module}, line ${step.line}`)),
            element("ul", {}, ...numbers),
            boards,
        );
    }

    function goTo(step) {
        state.step = Math.max(1, Math.min(told.steps.length, step));
        drawStep();
        writeAddress();
    }

    function play(on) {
        clearInterval(playing);
        playing = on ? setInterval(() => (state.step < told.steps.length ? goTo(state.step + 1) : play(false)), 900) : 0;
        byId("play").setAttribute("aria-pressed", String(on));
        byId("play").textContent = on ? "Stop" : "Play";
        if (on && state.step === told.steps.length) {
            goTo(1);
        }
    }

    // Magic.

    function drawMagic(module, occupied) {
        const how = multiplication(told.steps);
        byId("magic").hidden = !how;
        if (!how) {
            return;
        }
        const magic = state.factor ?? how.magic;
        const relevant = occupied & how.mask;
        const width = 64 - Number(how.shift);
        const row = (name, word, className = "") => {
            const bits = word.toString(2).padStart(64, "0").replaceAll("0", "·");
            const index = element("span", { className: "index" }, bits.slice(0, width));
            return element("tr", { className }, element("th", { scope: "row" }, name),
                element("td", {}, index, bits.slice(width)));
        };
        const table = element("table", {});
        for (const square of squaresOf(relevant, places())) {
            const bit = places()[square];
            table.append(row(`${NAMES[square]}: factor << ${bit}`, BigInt.asUintN(64, magic << BigInt(bit))));
        }
        const product = BigInt.asUintN(64, relevant * magic);
        table.append(row("sum", product, "sum"));
        byId("copies").replaceChildren(table);
        if (document.activeElement !== byId("factor")) {
            byId("factor").value = `0x${magic.toString(16).padStart(16, "0")}`;
        }
        const others = sharers(relevant, { ...how, magic }).filter((other) => other !== relevant);
        const index = product >> how.shift;
        byId("shared").textContent = `Each blocker adds a copy of the factor, shifted to its square. The top ${width} bits`
            + ` of the sum are the index: ${index}. ${others.length || "No"} other relevant `
            + `${others.length === 1 ? "occupancy has" : "occupancies have"} it too`
            + `${others.length ? ", and must see the same squares:" : "."}`;
        const own = attacksOf(module, relevant);
        const alike = (other) => attacksOf(module, other) === own;
        byId("sharing").replaceChildren(...others.slice(0, 8).map((other) => relevantFigure(module, other,
            alike(other) ? "sees the same" : "sees other squares", alike(other))));
        const found = trial(how, magic, (other) => attacksOf(module, other));
        const size = (1 << squaresOf(how.mask, places()).length).toLocaleString("en");
        const verdict = byId("verdict");
        verdict.className = found.clash ? "bad" : "good";
        verdict.textContent = found.clash
            ? `This factor fails: two occupancies that see different squares have the index ${found.clash.index}.`
            : `This factor works: ${size} relevant occupancies in ${found.used.toLocaleString("en")} slots; `
                + `${found.shared.toLocaleString("en")} share a slot with one that sees the same.`;
        byId("clash").replaceChildren(...(found.clash ? [found.clash.first, found.clash.second] : []).map((one) =>
            relevantFigure(module, one.occupied, "clashes", false)));
    }

    function relevantFigure(module, occupied, text, fine) {
        const attacks = attacksOf(module, occupied);
        const picture = boardPicture({
            word: attacks | occupied, places: places(), occupied: squaresOf(occupied, places()), chosen: state.square,
            shapes: data.shapes, title: `blockers ${squaresOf(occupied, places()).map((s) => NAMES[s]).join(" ") || "none"}`
                + `, seen ${squaresOf(attacks, places()).map((s) => NAMES[s]).join(" ")}`,
        });
        return figureOf(picture, element("span", { className: fine ? "good" : "bad" }, text));
    }

    // All techniques.

    async function compare() {
        const table = element("table", {}, element("thead", {}, element("tr", {},
            ...["technique", "steps", "operations", "tables, bytes", "answer"].map((text) =>
                element("th", { scope: "col" }, text)))));
        const body = element("tbody", {});
        table.append(body);
        byId("comparison").replaceChildren(table);
        const [square, occupied, piece] = [places()[state.square], occupiedWord(), state.piece];
        const expected = told.steps.at(-1).word;
        for (const card of data.cards) {
            const { program, module } = await kernels(card.name);
            const one = explained(program, module.tables, piece, square, occupied);
            const same = one.steps.at(-1).word === expected;
            const cells = [card.name, one.steps.length, one.operations, card.bytes.toLocaleString("en"),
                same ? "agrees" : "DIFFERS"];
            body.append(element("tr", {}, ...cells.map((text) => element("td", {}, String(text)))));
        }
    }

    // Begin.

    function options(id, names) {
        byId(id).append(...names.map((name) => element("option", {}, name)));
    }

    function on(id, what, act) {
        byId(id).addEventListener(what, act);
    }

    function changed(change) {
        return (event) => {
            event.preventDefault?.();
            try {
                change(event);
                say("");
                ask();
            } catch (fault) {
                say(fault.message);
            }
        };
    }

    options("technique", data.cards.map(({ name }) => name));
    options("mapping", Object.keys(data.mappings));
    readAddress();
    makeBoard();
    drawPosition(0n);
    on("technique", "change", changed(({ target }) => Object.assign(state, { technique: target.value, step: 1, factor: null })));
    on("piece", "change", changed(({ target }) => Object.assign(state, { piece: target.value, step: 1, factor: null })));
    on("mapping", "change", changed(({ target }) => Object.assign(state, { mapping: target.value, factor: null })));
    on("controls", "submit", changed(() => {
        state.pieces = readFen(byId("fen").value);
    }));
    on("clear", "click", changed(() => {
        state.pieces = new Map();
    }));
    on("factor-form", "submit", changed(() => {
        state.factor = readFactor(byId("factor").value);
    }));
    on("own-factor", "click", changed(() => {
        byId("own-factor").focus();
        state.factor = null;
    }));
    on("back", "click", () => goTo(state.step - 1));
    on("forward", "click", () => goTo(state.step + 1));
    on("slider", "input", ({ target }) => goTo(Number(target.value)));
    on("play", "click", () => play(!playing));
    on("compare", "click", compare);
    window.addEventListener("hashchange", () => {
        readAddress();
        ask();
    });
    document.addEventListener("DOMContentLoaded", ask);
})();
