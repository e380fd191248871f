import type { ArchiveViewer } from '../store/archives.ts';
import { NO_GROUP } from './link/scope.ts';
import type { Caller } from './recognise.ts';

/** For whom it is asked what an archive is to them. */
export function archiveViewerOf({ user, session }: Caller): ArchiveViewer {
  return { userId: user.id, memberGroup: session.memberGroup ?? NO_GROUP };
}
