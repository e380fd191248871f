import Download from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiFailure, readAnswer } from '../../api/client.ts';
import { type ListQuery, requestCsvAddress } from '../../api/list.ts';
import { errorText } from '../../i18n/errorText.ts';
import { downloadFrom } from '../files/browserDownload.ts';
import { notify } from '../notifications.tsx';

export interface CsvButtonProps {
  /** The list call's path, which gives the address of a CSV file at `/csv`. */
  readonly path: string;
  /** What the filter says; the file has all of its rows, not only those in view. */
  readonly query: ListQuery;
}

export function CsvButton({ path, query }: CsvButtonProps) {
  const { t } = useTranslation('Table');
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await requestCsvAddress(path, query);
    setBusy(false);
    if (!result.ok) return tellFailure(result);
    downloadFrom(result.value, (answer) => {
      const refusal = readAnswer(path, { ok: false, status: 0, statusText: '' }, answer);
      if (!refusal.ok) tellFailure(refusal);
    });
  };
  return (
    <Button size="small" startIcon={<Download />} loading={isBusy} onClick={() => void download()}>
      {t('Export CSV')}
    </Button>
  );
}

function tellFailure(failure: ApiFailure): void {
  notify('error', errorText(failure) ?? '');
}
