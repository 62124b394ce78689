-- Why a complete job's result may be weaker than it could be: a JSON array of {"code", "message"}, empty where nothing was
-- missing. Null before the job is complete, and for jobs that were complete before warnings were kept.
ALTER TABLE jobs ADD COLUMN warnings TEXT;
