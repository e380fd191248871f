import type { ApiFailure } from '../../../../shared/api/client.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';

/** The form has the fields of the settings beside the others: `settings.host` is refused as `host`. Pure. */
export function flatRefusal(failure: ApiFailure): ApiFailure {
  const fields = Object.entries(refusedFields(failure));
  if (failure.kind !== 'http' || fields.length === 0) return failure;
  return { ...failure, data: { fields: Object.fromEntries(fields.map(([path, code]) => [fieldOf(path), code])) } };
}

/** `headers` of `sender.settings.headers.0.name`. */
function fieldOf(path: string): string {
  return path.replace(/^(?:sender\.)?(?:settings\.)?/, '').split('.')[0] ?? path;
}
