import type { Parsed } from "./variable-forms.ts";

export interface MailAddress {
  /** Empty: none was given. */
  readonly name: string;
  readonly address: string;
}

/** Such as `Surveys <surveys@mail.example>`, or the address alone. */
export function mailAddress(text: string): Parsed<MailAddress> {
  const [, name = "", inBrackets, alone] =
    /^(?:([^<>"\r\n]*)<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? alone;
  if (address && URL.canParse(`http://${address.slice(address.indexOf("@") + 1)}`))
    return { value: { name: name.trim(), address } };
  return { problem: "is not a mail address such as 'Surveys <surveys@mail.example>'" };
}
