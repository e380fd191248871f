import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { getGroupTree } from '../../../shared/api/devices/deviceGroup.ts';
import { useChangedRecords } from '../../../shared/live/pageLive.ts';
import type { GroupTree } from '../../../shared/protocol/api/deviceGroups.ts';

const CHANGED_BY = ['group', 'device'] as const;

export interface LoadedTree {
  /** What is known; undefined until the first answer. */
  readonly tree: GroupTree | undefined;
  readonly failure: ApiFailure | undefined;
  readonly reload: () => void;
}

/** The tree of groups, read anew when anybody has changed a group or a device. */
export function useGroupTree(): LoadedTree {
  const [tree, setTree] = useState<GroupTree>();
  const [failure, setFailure] = useState<ApiFailure>();
  // The question under way: an older answer that comes late must not take the place of a newer one.
  const pendingRequest = useRef<AbortController>(undefined);
  const load = useCallback(async () => {
    pendingRequest.current?.abort();
    const abort = new AbortController();
    pendingRequest.current = abort;
    const result = await getGroupTree(abort.signal);
    if (abort.signal.aborted) return;
    if (result.ok) setTree(result.value);
    setFailure(result.ok ? undefined : result);
  }, []);
  useEffect(() => {
    void load();
    return () => pendingRequest.current?.abort();
  }, [load]);
  const reload = () => void load();
  useChangedRecords(CHANGED_BY, reload);
  return { tree, failure, reload };
}
