import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { BundleContents, BundleFile } from '../../../../shared/protocol/api/system/bundle.ts';
import { ROW_LIST, rowStyle } from '../rowList.ts';

export interface BundleFilesProps {
  readonly files: BundleContents['files'];
}

/** The files of a support bundle. Of one that a newer server has, the name alone is shown. */
export function BundleFiles({ files }: BundleFilesProps) {
  const { t, i18n } = useTranslation('Version');
  const numbers = new Intl.NumberFormat(i18n.language);
  const descriptions: Readonly<Record<BundleFile, string>> = {
    'contents.json': t('List of the files, with what was left out'),
    'about.json': t('Product, operating system, database and servers'),
    'configuration.json': t('Environment variables: numbers and choices. Of other values, only whether they are set'),
    'settings.json': t('Settings and their presets'),
    'health.json': t('Health checks with their values'),
    'tables.json': t('Database schema, with rows and size of each table'),
    'terminals.json': t('Number of devices by manufacturer, model and version'),
    'metrics.txt': t('Metrics'),
    'log.jsonl': t('Newest lines of the log'),
  };
  const described: Readonly<Record<string, string | undefined>> = descriptions;
  return (
    <Box component="ul" sx={ROW_LIST}>
      {files.map(({ name, entries }) => (
        <Box component="li" key={name} sx={ROW}>
          <Box sx={{ overflowWrap: 'anywhere' }}>{name}</Box>
          <Box>{described[name]}</Box>
          <Box sx={{ color: 'text.secondary' }}>
            {entries === null ? t("Can't be read now") : t('Entries: {{number}}', { number: numbers.format(entries) })}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const ROW = rowStyle('minmax(0, 1fr) minmax(0, 3fr) minmax(0, 1fr)');
