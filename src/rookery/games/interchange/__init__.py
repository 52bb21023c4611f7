"""Games as tables of other programs: Arrow, Parquet, data frames."""
