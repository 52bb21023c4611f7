"""The words of PGN.

vocabulary    results, annotations, headers and their numbers
signs         characters: blanks, ends of words, lines, UTF-8
tokens        single words of movetext
lenient       words that are skipped with a warning
printed       words as books and other languages write them, respelled
languages     the letters of national languages
split_tokens  the tokens of a variation's text; `splitting` is its compiled code
"""
