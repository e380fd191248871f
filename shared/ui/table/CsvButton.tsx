import Download from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListQuery, requestCsv } from '../../api/list.ts';
import { errorText } from '../../i18n/errorText.ts';
import { notify } from '../notifications.tsx';
import { saveFile } from '../saveFile.ts';

export interface CsvButtonProps {
  /** The list call's path, which answers as CSV at `/csv`. */
  readonly path: string;
  /** What the filter says; the file has all of its rows, not only those in view. */
  readonly query: ListQuery;
  /** Without extension. */
  readonly fileName: string;
}

export function CsvButton({ path, query, fileName }: CsvButtonProps) {
  const { t } = useTranslation('Table');
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await requestCsv(path, query);
    setBusy(false);
    if (result.ok) saveFile(result.value, `${fileName}.csv`);
    else notify('error', errorText(result) ?? '');
  };
  return (
    <Button size="small" startIcon={<Download />} loading={isBusy} onClick={() => void download()}>
      {t('Export CSV')}
    </Button>
  );
}
