import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadEventMedia } from '../../../api/eventMedia.ts';
import type { EventMedia } from '../../../protocol/api/eventMedia.ts';
import { useRecord } from '../../records/useRecord.ts';
import { mediaName } from './mediaText.ts';
import { useObjectUrl } from './useObjectUrl.ts';
import { useSeen } from './useSeen.ts';

/** A picture, which a click enlarges. It is loaded whole, so it is loaded only where somebody sees it. */
export function Snapshot({ media }: { readonly media: EventMedia }) {
  const { isSeen, ref } = useSeen();
  return isSeen ? (
    <LoadedSnapshot media={media} />
  ) : (
    <Box ref={ref} role="img" aria-label={mediaName(media)} sx={PLACE} />
  );
}

function LoadedSnapshot({ media }: { readonly media: EventMedia }) {
  const { t } = useTranslation('Events');
  const [isOpen, setOpen] = useState(false);
  const titleId = useId();
  const { value, failure } = useRecord({
    key: ['event-file', media.id],
    load: (signal) => loadEventMedia(media, signal),
  });
  const url = useObjectUrl(value);
  const name = mediaName(media);
  if (failure !== undefined) return <Box sx={{ ...PLACE, p: 1 }}>{t('Not available')}</Box>;
  return (
    <>
      <ButtonBase
        disabled={url === undefined}
        aria-label={t('Enlarge {{name}}', { name })}
        onClick={() => setOpen(true)}
        sx={PLACE}
      >
        {url !== undefined && <Box component="img" src={url} alt="" sx={THUMBNAIL} />}
        {media.state === 'incomplete' && (
          <Box component="span" aria-hidden sx={NOTE}>
            {t('Incomplete')}
          </Box>
        )}
      </ButtonBase>
      {isOpen && url !== undefined && (
        <Dialog open fullWidth maxWidth="lg" onClose={() => setOpen(false)} aria-labelledby={titleId}>
          <DialogTitle id={titleId}>{name}</DialogTitle>
          <DialogContent>
            <Box component="img" src={url} alt={name} sx={WHOLE} />
          </DialogContent>
          <DialogActions sx={{ px: 3, pb: 2 }}>
            <Button autoFocus onClick={() => setOpen(false)}>
              {t('Close', { ns: 'Common' })}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

const PLACE = {
  width: 128,
  height: 72,
  borderRadius: 1,
  overflow: 'hidden',
  fontSize: 12,
  backgroundColor: '#14181d',
  color: '#dfe5eb',
  position: 'relative',
} as const;
/** On the picture: whoever takes it for evidence must not take the missing part for an empty road. */
const NOTE = { position: 'absolute', bottom: 0, left: 0, right: 0, px: 0.5, backgroundColor: '#14181dcc' } as const;
const THUMBNAIL = { width: '100%', height: '100%', objectFit: 'cover' } as const;
const WHOLE = { display: 'block', maxWidth: '100%', maxHeight: '75vh', m: 'auto' } as const;
