/**
 * Triggers that check each change of a slice in the test databases: L5 and L6 of the ledger, on the real statements. A
 * change that violates a law fails. `src/domain/verification/ledger-invariants.ts` has the same rules for the simulation.
 */
export const LAW_TRIGGERS = `
create function check_slice_change() returns trigger language plpgsql as $$
declare
  place int;
  before_status int;
  after_status int;
  slice_key text := concat_ws('.', old.task_id, old.bucket, old.slice);
  is_written_again boolean := current_setting('laws.written_slice', true) is not distinct from slice_key;
begin
  perform set_config('laws.written_slice', slice_key, true);
  if (old.sent & new.sent) <> old.sent or (old.received & new.received) <> old.received then
    raise exception 'L5 bits are never cleared: slice %.%.%', old.task_id, old.bucket, old.slice;
  end if;
  if new.epoch < old.epoch then
    raise exception 'L5 epochs never decrease: slice %.%.%', old.task_id, old.bucket, old.slice;
  end if;
  if new.state = 'leased' and old.state <> 'leased' and new.epoch <> old.epoch + 1 then
    raise exception 'L6 a claim increases the epoch: slice %.%.%', old.task_id, old.bucket, old.slice;
  end if;
  if new.status is not distinct from old.status then
    return null;
  end if;
  -- A hand-over of a cancelled slice writes the slice twice in one transaction. The first write is never visible.
  if is_written_again then
    return null;
  end if;
  -- A holder whose retry was cancelled closes the slice after it has written the retry.
  if old.state in ('ready', 'closed') and new.epoch = old.epoch
     and not (old.state = 'ready' and old.cancelled and new.state = 'closed') then
    raise exception 'L6 only a holder writes statuses: slice %.%.%', old.task_id, old.bucket, old.slice;
  end if;
  for place in 0 .. old.n - 1 loop
    before_status := get_byte(old.status, place);
    after_status := get_byte(new.status, place);
    -- A place that fell back (13) can wait in the inbox (3) again if no vendor is left.
    if before_status >= 10 and after_status <> before_status
       and not (before_status = 13 and after_status = 3 and new.epoch > old.epoch) then
      raise exception 'L5 a final place never changes: slice %.%.%, place %, % to %',
        old.task_id, old.bucket, old.slice, place, before_status, after_status;
    end if;
  end loop;
  return null;
end $$;
create trigger check_slice_change after update on slices for each row execute function check_slice_change();`;

/** Matches the error text of a trigger. */
export const LAW_VIOLATION = /L[56] (bits|epochs|a final|a claim|only a holder) /;
