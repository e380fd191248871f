import { useTranslation } from 'react-i18next';
import { type ListQuery, requestCsvAddress } from '../../api/list.ts';
import { DownloadButton } from '../files/DownloadButton.tsx';

export interface CsvButtonProps {
  /** The list call's path, which gives the address of a CSV file at `/csv`. */
  readonly path: string;
  /** What the filter says; the file has all of its rows, not only those in view. */
  readonly query: ListQuery;
}

export function CsvButton({ path, query }: CsvButtonProps) {
  const { t } = useTranslation('Table');
  return <DownloadButton label={t('Export CSV')} request={() => requestCsvAddress(path, query)} />;
}
