import AttachmentIcon from '@mui/icons-material/AttachFileOutlined';
import SnapshotIcon from '@mui/icons-material/PhotoCameraOutlined';
import ClipIcon from '@mui/icons-material/VideoFileOutlined';
import Box from '@mui/material/Box';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { severityText, statusText } from '../../../../shared/i18n/eventWordText.ts';
import { EventMediaBit, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { formatClock } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import { deviceText, lengthText, unitText, valueText } from '../../../../shared/ui/events/eventText.ts';
import { severityAccent } from '../../../../shared/ui/events/severityColors.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { COMPACT_AREAS, WIDE_AREAS } from './rowLayout.ts';

export interface EventListRowProps extends RowPlace {
  readonly event: EventRow;
  readonly names: EventNames;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isCompact: boolean;
}

/** Where a row stands: in the list, and on the screen. */
export interface RowPlace {
  /** From 1, the row of column heads included. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
}

export function eventRowId(eventId: number): string {
  return `event-${eventId}`;
}

/** A row's position changes with every event above it; its content is rendered again only when its own event has changed. */
export function EventListRow({ index, top, height, ...shown }: EventListRowProps) {
  const { event, isSelected } = shown;
  return (
    <Box
      id={eventRowId(event.id)}
      role="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      data-event-id={event.id}
      data-severity={event.severity}
      data-status={event.status}
      sx={ROW}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <EventCells {...shown} />
    </Box>
  );
}

/** Memoized, which is why the list takes the clicks. */
const EventCells = memo(function EventCells(props: Omit<EventListRowProps, keyof RowPlace>) {
  const { event, names, isCurrent, isSelected, isCompact } = props;
  const { t } = useTranslation('TodayEvent');
  const type = names.typeOf(event.type);
  const name = names.nameOf(event.type);
  return (
    <Box
      role="presentation"
      sx={[
        CELLS,
        isCompact ? COMPACT_AREAS : WIDE_AREAS,
        severityAccent(event.severity, 'borderLeftColor'),
        isCurrent ? CURRENT : {},
        event.status === 'new' ? UNANSWERED : {},
      ]}
    >
      <Box role="gridcell" data-select="" sx={CHECK}>
        <input
          type="checkbox"
          checked={isSelected}
          readOnly
          tabIndex={-1}
          aria-label={t('Select {{type}} of {{device}}', { type: name, device: deviceText(event) })}
        />
      </Box>
      <Box role="gridcell" sx={CELL}>
        <Box sx={{ gridArea: 'icon', display: 'flex' }}>
          <EventIcon type={type} />
        </Box>
        <Box sx={{ ...MAIN, gridArea: 'type' }} data-main="">
          {name}
          {event.count > 1 && ` ×${event.count}`}
        </Box>
        <Box sx={{ ...MORE, gridArea: 'more' }}>
          {joined([measuredText(event, names), isCompact ? event.driver : ''])}
        </Box>
      </Box>
      <TwoLines areas={['device', 'plate']} isCompact={isCompact}>
        {[
          [deviceText(event), isCompact ? event.plate : ''],
          [event.plate, event.driver],
        ]}
      </TwoLines>
      <TimeCell event={event} />
      <TwoLines areas={['status', 'who']} isCompact={isCompact}>
        {[
          [statusText(event.status), isCompact ? event.assignee : ''],
          [event.assignee || names.reasonName(event.reason)],
        ]}
      </TwoLines>
      <MediaCell media={event.media} />
    </Box>
  );
});

interface TwoLinesProps {
  readonly areas: readonly [string, string];
  readonly isCompact: boolean;
  /** What stands on each line. */
  readonly children: readonly [readonly string[], readonly string[]];
}

/** In a narrow list only the first. */
function TwoLines({ areas, isCompact, children }: TwoLinesProps) {
  const [first, second] = children;
  return (
    <Box role="gridcell" sx={CELL}>
      <Box {...(areas[0] === 'status' ? { 'data-end': '' } : {})} sx={{ ...LINE, gridArea: areas[0] }}>
        {joined(first)}
      </Box>
      {!isCompact && <Box sx={{ ...MORE, gridArea: areas[1] }}>{joined(second)}</Box>}
    </Box>
  );
}

function TimeCell({ event }: { readonly event: EventRow }) {
  const { t } = useTranslation('TodayEvent');
  const zone = useUserZone();
  return (
    <Box role="gridcell" sx={CELL}>
      <Box data-end="" sx={{ ...LINE, ...NUMBERS, gridArea: 'time' }}>
        {formatClock(event.beginAtMs, zone)}
      </Box>
      <Box data-end="" sx={{ ...MORE, ...NUMBERS, gridArea: 'length' }}>
        {joined([lengthText(event), event.late ? t('Late') : ''])}
      </Box>
    </Box>
  );
}

function MediaCell({ media }: { readonly media: number }) {
  const { t } = useTranslation('TodayEvent');
  return (
    <Box role="gridcell" sx={MEDIA}>
      {(media & EventMediaBit.Clip) !== 0 && <ClipIcon sx={MARK} titleAccess={t('Has video')} />}
      {(media & EventMediaBit.Snapshot) !== 0 && <SnapshotIcon sx={MARK} titleAccess={t('Has snapshots')} />}
      {(media & EventMediaBit.Attachment) !== 0 && <AttachmentIcon sx={MARK} titleAccess={t('Has attachments')} />}
    </Box>
  );
}

/** Severity first: the edge's color only repeats it. */
function measuredText(event: EventRow, { typeOf }: EventNames): string {
  return joined([
    severityText(event.severity),
    unitText(event.unit, typeOf(event.type)?.unit),
    event.areaName,
    valueText(event),
  ]);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' · ');
}

const CUT = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 } as const;
const ROW = { position: 'absolute', top: 0, left: 0, right: 0 } as const;
const CELLS = {
  display: 'grid',
  height: '100%',
  alignContent: 'center',
  alignItems: 'center',
  columnGap: 1,
  pr: 1,
  fontSize: 14,
  borderBottom: 1,
  borderBottomColor: 'divider',
  borderLeft: '4px solid',
  cursor: 'pointer',
  '&:hover': { backgroundColor: 'action.hover' },
} as const;
const CURRENT = {
  backgroundColor: 'action.selected',
  '[role="grid"]:focus &': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2 },
} as const;
const UNANSWERED = { '& [data-main]': { fontWeight: 700 } } as const;
// The parts of a cell take their places in the row.
const CELL = { display: 'contents' } as const;
const CHECK = {
  gridArea: 'check',
  display: 'grid',
  placeItems: 'center',
  alignSelf: 'stretch',
  userSelect: 'none',
  '& input': { width: 18, height: 18, m: 0, accentColor: 'var(--mui-palette-primary-main)', cursor: 'pointer' },
} as const;
const LINE = { ...CUT } as const;
const MAIN = { ...CUT, fontWeight: 620 } as const;
const MORE = { ...CUT, fontSize: 12.5, color: 'text.secondary' } as const;
const NUMBERS = { fontVariantNumeric: 'tabular-nums' } as const;
const MEDIA = { gridArea: 'media', display: 'flex', gap: 0.25, color: 'text.secondary' } as const;
const MARK = { fontSize: 17 } as const;
