"""Tables of typed columns: the base of `Positions`, `Games`, `Hits` and other tables.

columns     numbers, texts and lists as columns, which can be sliced, indexed and concatenated
selection   the rows that an index, a mask or an array of indices selects
arrow       Arrow tables of any library; the one place that imports pyarrow
reading     Arrow arrays to columns
html_tables
            tables for notebooks
spreadsheets
            texts that a spreadsheet would run
"""
