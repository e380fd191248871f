import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { listEventMedia, loadEventMedia, requestEventPackage } from '../../../api/eventMedia.ts';
import type { EventMedia } from '../../../protocol/api/eventMedia.ts';
import { hasMediaFile } from '../../../protocol/events/eventWords.ts';
import { Permission } from '../../../protocol/permissions.ts';
import { DownloadButton } from '../../files/DownloadButton.tsx';
import { saveFile } from '../../files/saveFile.ts';
import { notifyFailure } from '../../notifications.tsx';
import { useRecord } from '../../records/useRecord.ts';
import { useSession } from '../../session.ts';
import { LoadFailure } from '../detail/LoadFailure.tsx';
import type { LiveEvent } from '../detail/useLiveEvent.ts';
import { useReloadOnChange } from '../detail/useReloadOnChange.ts';
import { mediaName, mediaState, savedName } from './mediaText.ts';
import { Snapshot } from './Snapshot.tsx';

/** What is kept of an event beside its recording, and all of it as a signed archive. */
export function MediaSection(live: LiveEvent) {
  const { event } = live;
  const { t } = useTranslation('Events');
  const session = useSession();
  const {
    value: media = [],
    failure,
    reload,
  } = useRecord({
    key: ['event-media', event.id],
    load: (signal) => listEventMedia(event.id, signal),
  });
  useReloadOnChange(live, reload);
  const mayPackage = session.kind === 'signed-in' && session.status.permission.includes(Permission.Evidence);
  const pictures = media.filter(isPicture);
  const others = media.filter((each) => !isPicture(each));
  if (media.length === 0 && !mayPackage && failure === undefined) return null;
  return (
    <Box component="section" aria-label={t('Evidence')} sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography component="h3" sx={{ flex: 1, fontSize: 14, fontWeight: 650 }}>
          {t('Evidence')}
        </Typography>
        {mayPackage && <DownloadButton label={t('Evidence package')} request={() => requestEventPackage(event.id)} />}
      </Box>
      <LoadFailure failure={failure} onRetry={reload} />
      {pictures.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
          {pictures.map((each) => (
            <Snapshot key={each.id} media={each} />
          ))}
        </Box>
      )}
      {others.length > 0 && (
        <Box component="ul" sx={LIST}>
          {others.map((each) => (
            <FileItem key={each.id} media={each} />
          ))}
        </Box>
      )}
    </Box>
  );
}

function FileItem({ media }: { readonly media: EventMedia }) {
  const { t } = useTranslation('Events');
  const name = mediaName(media);
  const download = async () => {
    const file = await loadEventMedia(media);
    if (file.ok) saveFile(file.value, savedName(media));
    else notifyFailure(file);
  };
  return (
    <Box component="li" sx={ITEM}>
      <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {mediaState(media)}
      </Box>
      {hasMediaFile(media.state) && media.kind !== 'clip' && (
        <IconButton size="small" aria-label={t('Download {{name}}', { name })} onClick={() => void download()}>
          <DownloadIcon fontSize="small" />
        </IconButton>
      )}
    </Box>
  );
}

function isPicture({ kind, state, contentType, bytes }: EventMedia): boolean {
  // A file of which only a part is there may show nothing; a snapshot without its end shows a part, and says so.
  const isShown = state === 'stored' || (state === 'incomplete' && kind === 'snapshot');
  return isShown && contentType.startsWith('image/') && bytes > 0;
}

const LIST = { m: 0, p: 0, listStyle: 'none', display: 'grid', fontSize: 13 } as const;
const ITEM = { display: 'flex', alignItems: 'center', gap: 1, minHeight: 32 } as const;
