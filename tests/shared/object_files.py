"""Readers of object files: the symbols and relocations of ELF, COFF and Mach-O files for 64-bit little-endian CPUs."""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple


class ObjectFile(NamedTuple):
    """The parts of an object file that a linker reads."""

    format: str
    machine: int
    defined: dict[str, bool]  # symbols that other files may use; True: any number of files may define it
    undefined: set[str]
    relocations: dict[str, set[int]]  # their types, by section


def read(code: bytes) -> ObjectFile:
    """Read an object file."""
    if code[:4] == b"\x7fELF":
        return _elf(code)
    if code[:4] == b"\xcf\xfa\xed\xfe":
        return _mach_o(code)
    return _coff(code)


def _text(code: bytes, start: int) -> str:
    return code[start : code.index(b"\0", start)].decode()


_SYMTAB, _RELA, _WEAK, _LOCAL = 2, 4, 2, 0


def _elf(code: bytes) -> ObjectFile:
    machine = struct.unpack_from("<H", code, 18)[0]
    first, size, number, names = struct.unpack_from("<Q10xHHH", code, 40)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, first + size * i) for i in range(number)]
    name_of = [_text(code, sections[names][4] + section[0]) for section in sections]
    defined, undefined, relocations = {}, set(), {}
    for section in sections:
        kind, offset, length = section[1], section[4], section[5]
        if kind == _SYMTAB:
            for place in range(offset, offset + length, 24):
                name, info, _, index = struct.unpack_from("<IBBH", code, place)
                text = _text(code, sections[section[6]][4] + name)
                if info >> 4 != _LOCAL and index:
                    defined[text] = info >> 4 == _WEAK
                elif text and not index:
                    undefined.add(text)
        elif kind == _RELA:
            kinds = {struct.unpack_from("<8xI", code, place)[0] for place in range(offset, offset + length, 24)}
            relocations[name_of[section[7]]] = kinds
    return ObjectFile("ELF", machine, defined, undefined, relocations)


_EXTERNAL, _COMDAT = 2, 0x1000


def _coff(code: bytes) -> ObjectFile:
    machine, number, _, table, symbols, optional, _ = struct.unpack_from("<HHIIIHH", code)
    texts = table + 18 * symbols

    def name_at(place: int) -> str:
        if code[place : place + 4] == bytes(4):
            return _text(code, texts + struct.unpack_from("<I", code, place + 4)[0])
        return code[place : place + 8].rstrip(b"\0").decode()

    relocations, is_group = {}, []
    for i in range(number):
        place = 20 + optional + 40 * i
        start, count = struct.unpack_from("<24xI4xH", code, place)
        is_group.append(bool(struct.unpack_from("<36xI", code, place)[0] & _COMDAT))
        kinds = {struct.unpack_from("<8xH", code, start + 10 * j)[0] for j in range(count)}
        relocations[code[place : place + 8].rstrip(b"\0").decode()] = kinds
    defined, undefined = {}, set()
    i = 0
    while i < symbols:
        place = table + 18 * i
        section, class_, more = struct.unpack_from("<12xh2xBB", code, place)
        if class_ == _EXTERNAL and section > 0:
            defined[name_at(place)] = is_group[section - 1]
        elif class_ == _EXTERNAL and section == 0:
            undefined.add(name_at(place))
        i += 1 + more
    return ObjectFile("COFF", machine, defined, undefined, relocations)


_SEGMENT, _SYMBOLS, _UNDEFINED_KIND, _KIND, _IS_EXTERNAL, _WEAK_DEFINITION = 0x19, 0x2, 0x0, 0x0E, 0x01, 0x80


def _commands(code: bytes) -> Iterator[tuple[int, int]]:
    place = 32
    for _ in range(struct.unpack_from("<I", code, 16)[0]):
        kind, size = struct.unpack_from("<II", code, place)
        yield kind, place
        place += size


def _mach_o(code: bytes) -> ObjectFile:
    machine = struct.unpack_from("<I", code, 4)[0]
    defined, undefined, relocations = {}, set(), {}
    for kind, place in _commands(code):
        if kind == _SEGMENT:
            for i in range(struct.unpack_from("<I", code, place + 64)[0]):
                section = place + 72 + 80 * i
                start, count = struct.unpack_from("<II", code, section + 56)
                words = [struct.unpack_from("<4xI", code, start + 8 * j)[0] for j in range(count)]
                relocations[code[section : section + 16].rstrip(b"\0").decode()] = {word >> 28 for word in words}
        elif kind == _SYMBOLS:
            start, count, texts = struct.unpack_from("<III", code, place + 8)
            for i in range(count):
                name, type_, _, flags = struct.unpack_from("<IBBH", code, start + 16 * i)
                if type_ & _IS_EXTERNAL and type_ & _KIND != _UNDEFINED_KIND:
                    defined[_text(code, texts + name)] = bool(flags & _WEAK_DEFINITION)
                elif type_ & _IS_EXTERNAL:
                    undefined.add(_text(code, texts + name))
    return ObjectFile("Mach-O", machine, defined, undefined, relocations)


# Relocations by which linkers put absolute addresses into a section: never in code, or it could not be shared.
ABSOLUTE: Final = {"ELF": {1, 10, 11, 257, 258}, "COFF": {1, 2}, "Mach-O": {0}}
