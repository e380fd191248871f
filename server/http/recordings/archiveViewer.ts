import type { ArchiveViewer } from '../../store/recordings/archives.ts';
import type { Caller } from '../kernel/recognise.ts';
import { NO_GROUP } from '../links/scope.ts';

/** For whom it is asked what an archive is to them. */
export function archiveViewerOf({ user, session }: Caller): ArchiveViewer {
  return { userId: user.id, memberGroup: session.memberGroup ?? NO_GROUP };
}
