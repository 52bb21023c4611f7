// Figure: a diagonal times the b-file. Each blocker adds the file, shifted by its square: exactly one bit of each copy is in
// the index.

import { Multiplication } from "./multiplication.js";
import { bFile, diagonalD4, onDiagonal } from "./magic_kernels.js";

const LOOKUP = {
    piece: "bishop", sign: "♝", square: 27, start: ["b2", "e5", "g7", "h8", "d7"], mask: diagonalD4, factor: bFile, shift: 58n,
    attacks: (occupied) => onDiagonal(27, occupied),
};

export function mount(root) {
    return new Multiplication(root, LOOKUP);
}
