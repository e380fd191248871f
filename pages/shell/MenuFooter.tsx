import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { ServerInfo } from '../../shared/protocol/api/system.ts';
import type { UserStatus } from '../../shared/protocol/api.ts';
import { Permission } from '../../shared/protocol/permissions.ts';
import { formatDate } from '../../shared/ui/dates.ts';
import { useServerInfo } from '../../shared/ui/serverInfo.ts';

export interface FooterEntry {
  /** Key in the Shell namespace. */
  readonly label: 'Retention (days)' | 'Record expiry' | 'Server version' | 'Max licenses' | 'License expiry';
  readonly value: string;
}

/** What the footer shows: the group's limits where they are above 0, the server's only with `system`. */
function footerEntries(status: UserStatus, info: ServerInfo | undefined): readonly FooterEntry[] {
  const entries: FooterEntry[] = [];
  if (status.retentiondays > 0) entries.push({ label: 'Retention (days)', value: String(status.retentiondays) });
  if (status.expirydate > 0) entries.push({ label: 'Record expiry', value: formatDate(status.expirydate) });
  // The server leaves these fields out for others; a page that was sent them all the same hides them.
  if (info === undefined || !status.permission.includes(Permission.System)) return entries;
  if (info.version) entries.push({ label: 'Server version', value: info.version });
  if (info.max_license) entries.push({ label: 'Max licenses', value: String(info.max_license) });
  if (info.expired) entries.push({ label: 'License expiry', value: formatDate(info.expired) });
  return entries;
}

export function MenuFooter({ status }: { readonly status: UserStatus }) {
  const { t } = useTranslation('Shell');
  const { info } = useServerInfo();
  const entries = footerEntries(status, info);
  if (entries.length === 0) return null;
  return (
    <Box component="dl" sx={FOOTER}>
      {entries.map(({ label, value }) => (
        <Box key={label} sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
          <dt>{t(label)}</dt>
          <Box component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums', color: 'text.primary' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const FOOTER = {
  m: 0,
  px: 2,
  py: 1.25,
  borderTop: 1,
  borderColor: 'divider',
  fontSize: 12,
  lineHeight: 1.6,
  color: 'text.secondary',
} as const;
