import type { PrivacyRightsRequestType } from '@daybook/contract';
import { Select } from '@daybook/ui';
import { type FieldControlProperties, fieldOf } from './field.tsx';

/** Labels of section 3 of the product document, in its order. */
export const requestTypeLabels: Readonly<Record<PrivacyRightsRequestType, string>> = {
  access: 'Access My Data',
  delete: 'Delete My Data',
  correct: 'Correct My Data',
  portability: 'Data Portability',
  restrict: 'Restrict Processing',
  object: 'Object to Processing',
};

const defaultRequestType: PrivacyRightsRequestType = 'access';

const options = Object.entries(requestTypeLabels).map(([value, label]) => ({ value, label }));

const label = 'Request type';

const id = 'request-type';

/** What a privacy rights request asks for. One type is always chosen, so no answer can be refused. */
export const requestTypeField = fieldOf<string>({
  name: 'requestType',
  focusId: id,
  initialAnswer: defaultRequestType,
  problemWith: () => undefined,
  Control: RequestTypeControl,
});

function RequestTypeControl({ answer, problem, onAnswer }: FieldControlProperties<string>) {
  return (
    <Select
      id={id}
      name="requestType"
      label={label}
      options={options}
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  );
}
