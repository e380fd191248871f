import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';

/** Members, member groups, links and the audit. */
export function MembershipPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Account')} permissions={[Permission.System, Permission.Member]} fill>
      {() => null}
    </Frame>
  );
}
