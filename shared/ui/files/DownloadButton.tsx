import Download from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { type ApiFailure, type ApiResult, readAnswer } from '../../api/client.ts';
import { errorText } from '../../i18n/errorText.ts';
import { DOWNLOAD_PATH } from '../../protocol/api/lists.ts';
import { notify } from '../notifications.tsx';
import { downloadFrom } from './browserDownload.ts';

export interface DownloadButtonProps {
  readonly label: string;
  /** The address of a file that the gateway makes. */
  readonly request: () => Promise<ApiResult<string>>;
}

export function DownloadButton({ label, request }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await request();
    setBusy(false);
    if (!result.ok) return tellFailure(result);
    downloadFrom(result.value, (answer) => {
      const refusal = readAnswer(DOWNLOAD_PATH, { ok: false, status: 0, statusText: '' }, answer);
      if (!refusal.ok) tellFailure(refusal);
    });
  };
  return (
    <Button size="small" startIcon={<Download />} loading={isBusy} onClick={() => void download()}>
      {label}
    </Button>
  );
}

function tellFailure(failure: ApiFailure): void {
  notify('error', errorText(failure) ?? '');
}
