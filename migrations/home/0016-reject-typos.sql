-- Why: a misspelled field, such as show_begin_tme, was ignored, and the notification was sent immediately to everyone.

-- Whether /push/notify and /push/validate reject unknown fields with names that are close to known fields.
alter table apps add column reject_typos boolean not null default true;
