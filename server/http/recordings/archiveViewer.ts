import type { ArchiveViewer } from '../../store/recordings/archives.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import type { Caller } from '../kernel/recognise.ts';

/** The viewer for whom access to an archive is checked. */
export function archiveViewerOf(caller: Caller): ArchiveViewer {
  const { userId, memberGroup } = scopeOf(caller);
  return { userId, memberGroup };
}
