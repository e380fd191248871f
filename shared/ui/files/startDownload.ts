import { type ApiFailure, readAnswer } from '../../api/client.ts';
import { errorText } from '../../i18n/errorText.ts';
import { DOWNLOAD_PATH } from '../../protocol/api/lists.ts';
import { notify } from '../notifications.tsx';
import { downloadFrom } from './browserDownload.ts';

/** Gives the browser an address that works once. If the gateway answers something other than a file, the user is notified. */
export function startDownload(address: string): void {
  downloadFrom(address, (answer) => {
    const refusal = readAnswer(DOWNLOAD_PATH, { ok: false, status: 0, statusText: '' }, answer);
    if (!refusal.ok) tellFailure(refusal);
  });
}

export function tellFailure(failure: ApiFailure): void {
  notify('error', errorText(failure) ?? '');
}
