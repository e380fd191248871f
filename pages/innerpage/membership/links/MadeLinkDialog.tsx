// A link that has just been made: the one time that its credential can be seen.

import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Suspense, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkKind, MadeLink } from '../../../../shared/protocol/api/links.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { CopyField } from '../../../../shared/ui/copy/CopyField.tsx';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { useServerInfo } from '../../../../shared/ui/serverInfo.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { useKindName } from './kindNames.ts';
import { embedSnippet, PAGE_KINDS, type PageKind, plainAddress, sealedAddress } from './linkAddresses.ts';

const QrCode = lazyPart('QrCode', async () => (await import('../../../../shared/ui/QrCode.tsx')).QrCode);

const TEN_MINUTES_MS = 600_000;

export interface MadeLinkDialogProps {
  readonly link: MadeLink;
  readonly kinds: readonly LinkKind[];
  readonly onClose: () => void;
}

export function MadeLinkDialog({ link, kinds, onClose }: MadeLinkDialogProps) {
  const { t } = useTranslation(['Links', 'Common']);
  const pages = PAGE_KINDS.filter((kind) => kinds.includes(kind));
  const [kind, setKind] = useState<PageKind | undefined>(pages[0]);
  const kindName = useKindName();
  const titleId = useId();
  const isNarrow = useIsNarrow();
  return (
    // A click beside the dialog does not close it: what it shows is gone then.
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Share link created')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, alignContent: 'start' }}>
        <Alert severity="warning">
          {t("Copy the link now. It isn't shown again. Anyone with it has access until it expires or you revoke it.")}
        </Alert>
        {pages.length > 1 && (
          <Tabs value={kind} onChange={(_, next: PageKind) => setKind(next)} variant="scrollable">
            {pages.map((each) => (
              <Tab key={each} value={each} label={kindName(each)} />
            ))}
          </Tabs>
        )}
        {kind === undefined ? (
          <CopyField label={t('Access key')} text={link.credential} />
        ) : (
          <Addresses link={link} kind={kind} />
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Addresses({ link, kind }: { readonly link: MadeLink; readonly kind: PageKind }) {
  const { t } = useTranslation('Links');
  const { info } = useServerInfo();
  const form = useForm<{ fromMs: number | null }>({
    initial: { fromMs: Date.now() - TEN_MINUTES_MS },
    guarded: false,
  });
  const { fromMs } = form.values;
  const { origin } = window.location;
  const linkKey = info?.linkKey;
  // While a time is being typed, it isn't valid.
  const fromOrBefore = Number.isFinite(fromMs ?? Number.NaN) ? Number(fromMs) : Date.now() - TEN_MINUTES_MS;
  const plain = plainAddress(link, kind, { origin, fromMs: fromOrBefore });
  // Each sealing is another text, each as good as the other: one is kept, so that the field stands still.
  const sealed = useMemo(() => sealedAddress(link, { origin, linkKey }), [link, origin, linkKey]);
  const shown = kind === 'live' ? sealed : plain;
  return (
    <>
      {kind !== 'live' && <DateTimeInput field={form.field('fromMs')} label={t('Playback start')} required />}
      <CopyField label={kind === 'live' ? t('Plain URL') : t('Link URL')} text={plain} />
      {kind === 'live' && <CopyField label={t('Encrypted URL')} text={shown} rows={3} />}
      <CopyField label={t('Embed code')} text={embedSnippet(shown)} rows={4} />
      <ChunkBoundary>
        <Suspense fallback={null}>
          <Box sx={{ justifySelf: 'center' }}>
            <QrCode label={t('QR code of the link')} text={plain} />
          </Box>
        </Suspense>
      </ChunkBoundary>
    </>
  );
}
