import Box from '@mui/material/Box';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { Fence, ShownFence } from '../../../shared/protocol/api/fences/fences.ts';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { useShownFences } from '../../../shared/ui/map/fences/useShownFences.ts';
import { MapNotice } from '../../../shared/ui/map/MapNotice.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import type { OpenedFence } from './edit/openedFence.ts';
import { FenceList } from './list/FenceList.tsx';
import { useFenceTable } from './list/useFenceTable.ts';
import { useFenceMap } from './map/useFenceMap.ts';

const FenceEditor = lazyPart('FenceEditor', async () => (await import('./edit/FenceEditor.tsx')).FenceEditor);

/** The fences of the member group: a map, and beside it their list or the form of one. */
export function FenceSetting() {
  const host = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const [opened, setOpened] = useState<OpenedFence>();
  const listed = useFenceTable();
  const shown = useShownFences();
  const { rows } = listed.table.list.page;
  const fences = useMemo(() => fencesOfMap(shown, rows), [shown, rows]);
  const state = useFenceMap(host, {
    fences,
    selectedId: selected,
    pointedId: pointed,
    onSelect: setSelected,
    onPoint: setPointed,
  });
  const map = state.kind === 'ready' ? state.map : undefined;
  const look = (fence: ShownFence) => {
    setSelected(fence.id);
    map?.lookAt(fence);
  };
  const close = () => {
    setOpened(undefined);
    listed.table.reload();
  };
  return (
    <Box sx={PARTS}>
      <Box sx={MAP}>
        <Box sx={{ position: 'absolute', inset: 0 }}>
          {/* The map's own styles make it relative, so its parent positions it. */}
          <Box ref={host} data-map={state.kind} sx={{ width: '100%', height: '100%' }} />
        </Box>
        <MapNotice state={state} />
      </Box>
      <Box sx={PANE}>
        {opened === undefined ? (
          <FenceList
            listed={listed}
            selected={fences.find(({ id }) => id === selected)}
            pointed={pointed}
            onLook={look}
            onPoint={setPointed}
            onOpen={setOpened}
          />
        ) : (
          <ChunkBoundary>
            <Suspense fallback={<Waiting />}>
              <FenceEditor opened={opened} map={map} onClose={close} />
            </Suspense>
          </ChunkBoundary>
        )}
      </Box>
    </Box>
  );
}

/** The active geofences and the inactive ones of the list, so that the map and the list agree. */
function fencesOfMap(shown: readonly ShownFence[], rows: readonly Fence[]): readonly ShownFence[] {
  const known = new Set(shown.map(({ id }) => id));
  return [...shown, ...rows.filter(({ id }) => !known.has(id))];
}

const PARTS = {
  display: 'flex',
  flexDirection: { xs: 'column', md: 'row' },
  gap: 1.5,
  flex: 1,
  minHeight: 0,
  minWidth: 0,
} as const;
const MAP = {
  position: 'relative',
  flex: { xs: '0 0 auto', md: '1 1 0' },
  height: { xs: 'min(46vh, 320px)', md: 'auto' },
  minWidth: 0,
  overflow: 'hidden',
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
} as const;
const PANE = {
  display: 'flex',
  flexDirection: 'column',
  flex: { xs: '1 1 auto', md: '0 0 min(560px, 50%)' },
  minHeight: 0,
  minWidth: 0,
  gap: 1.25,
} as const;
