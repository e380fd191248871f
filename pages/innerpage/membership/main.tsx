import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { MembershipPage } from './MembershipPage.tsx';

await mountPage(<MembershipPage />, [...FRAME_NAMESPACES, 'Membership', 'Links', 'Audit', 'AuditWords']);
