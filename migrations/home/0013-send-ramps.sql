-- Why: Google asks for a gradual start of large sends.

alter table rates add column ramp_at timestamptz; -- start of the last large send to a vendor that wants a gradual start
