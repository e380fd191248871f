import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DegreeInput } from './DegreeInput.tsx';
import { fewestPositions, type ShapeDraft, withoutVertex, withVertexAfter, withVertexMoved } from './shapeDraft.ts';

export interface VertexListProps {
  readonly shape: ShapeDraft;
  readonly disabled: boolean;
  readonly onChange: (shape: ShapeDraft, run?: string) => void;
}

const ROW_PX = 56;
/** Up to this many vertices are all rendered, which suits screen readers best. */
const MAX_WHOLE = 50;

/** All vertices, to be typed, added and deleted by keyboard. */
export function VertexList({ shape, disabled, onChange }: VertexListProps) {
  const { t } = useTranslation('FenceSetting');
  const box = useRef<HTMLDivElement>(null);
  const { positions } = shape;
  const virtualizer = useVirtualizer({
    count: positions.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const rows = positions.length <= MAX_WHOLE ? wholeRows(positions.length) : virtualizer.getVirtualItems();
  return (
    <Box ref={box} sx={LIST} role="group" aria-label={t('Vertices')}>
      <Box component="ol" style={{ position: 'relative', height: positions.length * ROW_PX, margin: 0, padding: 0 }}>
        {rows.map(({ index, start }) => (
          <Box
            component="li"
            key={index}
            aria-posinset={index + 1}
            aria-setsize={positions.length}
            style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
            sx={LINE}
          >
            <VertexRow shape={shape} at={index} disabled={disabled} onChange={onChange} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function wholeRows(count: number): readonly { readonly index: number; readonly start: number }[] {
  return Array.from({ length: count }, (_, index) => ({ index, start: index * ROW_PX }));
}

function VertexRow({ shape, at, disabled, onChange }: VertexListProps & { readonly at: number }) {
  const { t } = useTranslation('FenceSetting');
  const position = shape.positions[at];
  if (position === undefined) return null;
  const [lng, lat] = position;
  const number = at + 1;
  const isNeeded = shape.positions.length <= fewestPositions(shape.kind);
  return (
    <>
      <DegreeInput
        label={t('Latitude {{number}}', { number })}
        value={lat}
        limit={90}
        disabled={disabled}
        onChange={(value) => onChange(withVertexMoved(shape, at, [lng, value]), `latitude ${at}`)}
      />
      <DegreeInput
        label={t('Longitude {{number}}', { number })}
        value={lng}
        limit={180}
        disabled={disabled}
        onChange={(value) => onChange(withVertexMoved(shape, at, [value, lat]), `longitude ${at}`)}
      />
      <IconButton
        size="small"
        aria-label={t('Add vertex after {{number}}', { number })}
        disabled={disabled}
        onClick={() => onChange(withVertexAfter(shape, at))}
      >
        <Add fontSize="small" />
      </IconButton>
      <IconButton
        size="small"
        aria-label={t('Delete vertex {{number}}', { number })}
        disabled={disabled || isNeeded}
        onClick={() => onChange(withoutVertex(shape, at))}
      >
        <Delete fontSize="small" />
      </IconButton>
    </>
  );
}

const LIST = { maxHeight: 240, overflow: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 } as const;
const LINE = {
  position: 'absolute',
  left: 0,
  right: 0,
  display: 'flex',
  alignItems: 'center',
  gap: 0.5,
  px: 1,
  listStyle: 'none',
} as const;
