import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { TimeRange } from '../clock/ranges.ts';
import type { ListedMoment } from '../lists/MomentList.tsx';
import type { ListedMoments } from '../lists/useListedMoments.ts';

export interface PrintSheetProps {
  readonly name: string;
  readonly span: TimeRange;
  readonly lists: ListedMoments;
}

/** The content of the lists in full, which replaces the page's tools on paper. */
export function PrintSheet({ name, span, lists }: PrintSheetProps) {
  const { t } = useTranslation('GpsPlayback');
  const zone = useUserZone();
  const parts = [
    [t('Trips'), lists.trips],
    [t('Stops'), lists.stops],
    [t('Events'), lists.events],
  ] as const;
  return (
    <Box data-print="" sx={{ display: 'none', '@media print': { display: 'block' } }}>
      <h2>{name}</h2>
      <p>{`${formatTimestampWithZone(span.fromMs, zone)} – ${formatTimestampWithZone(span.toMs, zone)}`}</p>
      {parts.map(([title, moments]) => (
        <section key={title}>
          <h3>{title}</h3>
          {moments.map((moment) => (
            <Line key={moment.key} moment={moment} />
          ))}
        </section>
      ))}
    </Box>
  );
}

function Line({ moment }: { readonly moment: ListedMoment }) {
  return (
    <Box sx={{ breakInside: 'avoid', fontSize: 12, py: 0.25 }}>
      {moment.head}
      <div>{moment.details}</div>
      {moment.place !== undefined && <div>{moment.place}</div>}
    </Box>
  );
}
