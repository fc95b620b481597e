-- Why: an operator may have agreed with a vendor on another rate than the one that it gives to everyone.

alter table certificates add column per_second int check (per_second > 0); -- null: the vendor's own limit

-- The limit that per_second is at or below, so that it follows when the limit is changed. Null: begins anew at the limit.
alter table rates add column limit_per_second real;
