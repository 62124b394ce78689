-- How many of a job's attempts ended because its worker was stopped in order. They are nobody's fault.
ALTER TABLE jobs ADD COLUMN given_back BIGINT NOT NULL DEFAULT 0;
