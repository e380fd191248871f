import Box from '@mui/material/Box';
import { useMemo, useRef } from 'react';
import type { FenceImportPlan, ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import { useFenceMap } from '../map/useFenceMap.ts';

export interface PlanMapProps {
  readonly plan: FenceImportPlan;
  /** Its line in the file. */
  readonly pointed: number | undefined;
  readonly onPoint: (line: number | undefined) => void;
}

/** What the file would bring. */
export function PlanMap({ plan, pointed, onPoint }: PlanMapProps) {
  const host = useRef<HTMLDivElement>(null);
  const fences = useMemo(() => shownOf(plan), [plan]);
  const state = useFenceMap(host, {
    fences,
    selectedId: undefined,
    pointedId: pointed,
    onSelect: onPoint,
    onPoint,
  });
  return (
    <Box sx={BOX}>
      <Box sx={{ position: 'absolute', inset: 0 }}>
        <Box ref={host} data-map={state.kind} sx={{ width: '100%', height: '100%' }} />
      </Box>
      <MapNotice state={state} />
    </Box>
  );
}

const COLOR = '#1a5fb4';

function shownOf({ rows, shapes }: FenceImportPlan): readonly ShownFence[] {
  const names = new Map(rows.map(({ line, name }) => [line, name]));
  return shapes.map(({ line, ...shape }) => ({ id: line, name: names.get(line) ?? '', color: COLOR, ...shape }));
}

const BOX = {
  position: 'relative',
  minHeight: 260,
  overflow: 'hidden',
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
} as const;
