import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { DashboardPage } from './DashboardPage.tsx';

await mountPage(<DashboardPage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'Dashboard', 'Map', 'Player', 'Live']);
