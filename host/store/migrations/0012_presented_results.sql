-- What clients read of a result, where that is another text than the stored one: so it can be read without its plugin.
-- `presents` says whether it is: 0, or 1 where `presented` holds it. Rows from before this have neither.
ALTER TABLE jobs ADD COLUMN presents BIGINT;
ALTER TABLE jobs ADD COLUMN presented TEXT;
