import type { ArchiveViewer } from '../../store/recordings/archives.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import type { Caller } from '../kernel/recognise.ts';

/** For whom it is asked what an archive is to them. */
export function archiveViewerOf(caller: Caller): ArchiveViewer {
  const { userId, memberGroup } = scopeOf(caller);
  return { userId, memberGroup };
}
