import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getRecordedRanges } from '../../../api/recordings/recordings.ts';
import type { RecordedRange } from '../../../protocol/api/recordings.ts';
import { useRecord } from '../../records/useRecord.ts';
import { FetchButton } from '../../sync/FetchButton.tsx';
import { useFetched } from '../../sync/useFetched.ts';
import type { DeviceVideo } from './useDeviceVideo.ts';

export interface MissingRecordingProps {
  readonly video: DeviceVideo;
  readonly channels: readonly number[];
  /** From shortly before the event to shortly after it. */
  readonly clip: RecordedRange;
}

/** Says that the server has nothing of an event's time, and offers to fetch it from the device. */
export function MissingRecording({ video, channels, clip }: MissingRecordingProps) {
  const { t } = useTranslation('Events');
  const { source } = video;
  const { fromMs, toMs } = clip;
  const { value, reload } = useRecord({
    key: ['event-ranges', source.deviceid, fromMs, toMs],
    load: (signal) => getRecordedRanges(source, clip, signal),
  });
  useFetched(reload);
  const isMissing = value?.every(({ channel, ranges }) => !channels.includes(channel) || ranges.length === 0);
  if (isMissing !== true) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, fontSize: 13 }}>
      <span>{t('Not recorded on the server')}</span>
      <FetchButton
        label={t('Fetch from device')}
        draftOf={() => ({ deviceid: source.deviceid, channels: channels.map(String), fromMs, toMs })}
      />
    </Box>
  );
}
