import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getNotices } from '../../../../shared/api/version/notices.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Notice, ShippedIn } from '../../../../shared/protocol/api/system/notices.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { ROW_LIST, rowStyle } from '../rowList.ts';
import { foundNotices } from './foundNotices.ts';
import { NoticeDialog } from './NoticeDialog.tsx';

/** What others have made and is shipped with the product, each with its license. */
export function NoticesTab() {
  const { t } = useTranslation('Version');
  const { value, failure } = useRecord({ key: ['notices'], load: getNotices });
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<Notice>();
  const found = useMemo(() => foundNotices(value?.packages ?? [], search), [value, search]);
  const places: Readonly<Record<ShippedIn, string>> = {
    browser: t('In the browser'),
    gateway: t('On the server'),
    both: t('In the browser and on the server'),
  };
  if (value === undefined) {
    return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.5, overflowY: 'auto', pb: 2, alignContent: 'start' }}>
      <TextField
        type="search"
        size="small"
        label={t('Name or license')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        sx={{ maxWidth: 360 }}
      />
      <Box component="ul" sx={ROW_LIST}>
        {found.map((notice) => (
          <Box component="li" key={`${notice.name} ${notice.version}`} sx={ITEM}>
            <Link component="button" type="button" onClick={() => setOpened(notice)} sx={NAME}>
              {notice.name} {notice.version}
            </Link>
            <Box>{notice.license}</Box>
            <Box sx={{ color: 'text.secondary' }}>{places[notice.shippedIn]}</Box>
          </Box>
        ))}
      </Box>
      {found.length === 0 && <Box sx={{ color: 'text.secondary' }}>{t('Nothing found.')}</Box>}
      {opened !== undefined && <NoticeDialog notice={opened} onClose={() => setOpened(undefined)} />}
    </Box>
  );
}

const ITEM = rowStyle('minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr)');
const NAME = { textAlign: 'left', overflowWrap: 'anywhere', font: 'inherit' } as const;
