import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { MAX_TRACK_DAYS } from '../../../shared/protocol/api/tracks/track.ts';
import type { ShownDevice } from './map/mapContent.ts';
import { isUnknownDevice, type LoadedTracks } from './tracks/loadedTrack.ts';
import { type ChosenPeriod, isTooLong } from './view/period.ts';

export interface TrackNoticesProps {
  readonly devices: readonly ShownDevice[];
  readonly tracks: LoadedTracks;
  readonly period: ChosenPeriod;
}

/** Why something is not shown. */
export function TrackNotices({ devices, tracks, period }: TrackNoticesProps) {
  const { t } = useTranslation('GpsPlayback');
  const textOf = (failure: ApiFailure) => {
    return isUnknownDevice(failure) ? t("Device not found, or you don't have access to it.") : errorText(failure);
  };
  const loaded = devices.map(({ id, name }) => ({ id, name, track: tracks.get(id) }));
  const isEmpty = loaded.length > 0 && loaded.every(({ track }) => track?.path !== undefined && track.positions === 0);
  return (
    <Box sx={{ gridArea: 'notices', display: 'grid', gap: 0.5, '@media print': { display: 'none' } }}>
      {isTooLong(period) && (
        <Alert severity="info">{t('Only the first {{number}} days are shown.', { number: MAX_TRACK_DAYS })}</Alert>
      )}
      {loaded.map(({ id, name, track }) => {
        const text = track?.failure && textOf(track.failure);
        return (
          text !== undefined && (
            <Alert key={id} severity="warning">
              {`${name}: ${text}`}
            </Alert>
          )
        );
      })}
      {isEmpty && <Alert severity="info">{t('No positions in this period.')}</Alert>}
    </Box>
  );
}
