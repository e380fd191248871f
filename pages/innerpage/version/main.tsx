import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { VersionPage } from './VersionPage.tsx';

await mountPage(<VersionPage />, [...FRAME_NAMESPACES, 'Version', 'HealthWords', 'Events']);
