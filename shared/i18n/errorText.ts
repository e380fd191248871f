// What a failed call says to the user.
import i18next from 'i18next';
import type { ApiFailure } from '../api/client.ts';

/**
 * The translation of a code that the pages know, else the server's message as it came (as text, never markup).
 * Where no answer came: a sentence of ours and behind it the browser's own text. Undefined for an aborted call.
 */
export function errorText(failure: ApiFailure): string | undefined {
  switch (failure.kind) {
    case 'aborted':
      return undefined;
    case 'network':
      return `${i18next.t("Can't reach the server. Check your network and try again.", { ns: 'Errors' })} ${failure.message}`;
    case 'http':
      return knownCode(failure.code) ?? failure.message;
  }
}

/** The text of a refusal's code; undefined for one that this version doesn't know. */
export function knownCode(code: string | undefined): string | undefined {
  if (code === undefined || !i18next.exists(code, { ns: 'Errors' })) return undefined;
  return i18next.t(code, { ns: 'Errors' });
}
