import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAnswer } from '../../../../shared/api/client.ts';
import { startTrackExport } from '../../../../shared/api/tracks.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import {
  TRACK_EXPORT_FORMATS,
  TRACK_EXPORT_PATH,
  type TrackExportFormat,
} from '../../../../shared/protocol/api/tracks/track.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { downloadFrom } from '../../../../shared/ui/files/browserDownload.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { TimeRange } from '../clock/ranges.ts';

export interface ExportMenuProps {
  readonly deviceId: string;
  /** What of the time is shown. */
  readonly range: TimeRange;
  /** Undefined where no video can be exported. */
  readonly onVideo: (() => void) | undefined;
}

const FORMATS: Readonly<Record<TrackExportFormat, string>> = {
  csv: 'CSV',
  gpx: 'GPX',
  kml: 'KML',
  geojson: 'GeoJSON',
  xlsx: 'Excel (.xlsx)',
};

/** The chosen device's track of the time that is shown, as a file. For users with `export`. */
export function ExportMenu({ deviceId, range, onVideo }: ExportMenuProps) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isBusy, setBusy] = useState(false);
  const buttonId = useId();
  const menuId = useId();
  const save = async (format: TrackExportFormat) => {
    setAnchor(null);
    setBusy(true);
    const { fromMs, toMs } = range;
    const result = await startTrackExport({
      deviceid: deviceId,
      fromMs: Math.floor(fromMs),
      toMs: Math.ceil(toMs),
      format,
      language: currentLocale(),
      timeZone: zone,
    });
    setBusy(false);
    if (result.ok) downloadFrom(result.value, tellRefusal);
    else notify('error', errorText(result) ?? '');
  };
  return (
    <>
      <Button
        id={buttonId}
        size="small"
        startIcon={<DownloadIcon />}
        loading={isBusy}
        aria-haspopup="menu"
        aria-controls={anchor === null ? undefined : menuId}
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('Export')}
      </Button>
      <Menu
        id={menuId}
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-labelledby': buttonId } }}
      >
        {TRACK_EXPORT_FORMATS.map((format) => (
          <MenuItem key={format} onClick={() => void save(format)}>
            {FORMATS[format]}
          </MenuItem>
        ))}
        {onVideo !== undefined && <Divider />}
        {onVideo !== undefined && (
          <MenuItem
            onClick={() => {
              setAnchor(null);
              onVideo();
            }}
          >
            {t('Video (MP4)')}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}

function tellRefusal(answer: string): void {
  const refusal = readAnswer(TRACK_EXPORT_PATH, { ok: false, status: 0, statusText: '' }, answer);
  if (!refusal.ok) notify('error', errorText(refusal) ?? '');
}
