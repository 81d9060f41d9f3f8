import type { MailTexts } from "./en.ts";

export const de: MailTexts = {
  hello: (name) => `Guten Tag ${name},`,
  helloUnknown: "Guten Tag,",
  fact: {
    app: "App",
    shop: "Shop",
    scope: "Darf",
    by: "Durch",
    person: "Wer",
    device: "Gerät",
    address: "Netzwerkadresse",
    time: "Zeitpunkt",
  },
  us: "uns",
  connectedApps: "Verbundene Apps ansehen",
  partnerPages: "Partnerseiten ansehen",
  newPassword: "Neues Passwort wählen",
  ifWrong: {
    app: "Wenn Sie das nicht waren, trennen Sie die App dort und wählen Sie ein neues Passwort.",
    account: "Wenn Sie das nicht waren, wählen Sie ein neues Passwort. Danach sind Sie überall abgemeldet.",
    appOnly: "Wenn das nicht so sein soll, trennen Sie die App dort.",
    accountElsewhere:
      "Wenn Sie das nicht waren, melden Sie sich auf der Seite Ihrer verbundenen Apps überall ab und sichern Sie das Konto, mit dem Sie sich anmelden.",
  },
  footer: (product, host) =>
    `${product} verschickt diese E-Mail automatisch. Alle Links darin führen zu ${host}. Wir fragen nie per E-Mail nach Ihrem Passwort.`,
  new_account: {
    subject: (f) => `Ihr Konto bei ${f.product}`,
    lead: (f) =>
      `${f.product} hat ein Konto für ${f.email} angelegt. Mit diesem Link legen Sie das Passwort fest und können sich dann anmelden.`,
    action: "Passwort festlegen",
    note: "Der Link funktioniert einmal und sieben Tage lang. Danach fordern Sie auf der Anmeldeseite unter „Passwort vergessen?“ einen neuen an. Wenn Sie nicht wissen, wofür dieses Konto ist, müssen Sie nichts tun.",
  },
  reset_password: {
    subject: () => "Neues Passwort festlegen",
    lead: (f) => `Mit diesem Link wählen Sie ein neues Passwort für Ihr Konto ${f.email}.`,
    action: "Neues Passwort festlegen",
    note: "Der Link gilt einmal und 30 Minuten lang. Wenn Sie ihn nicht angefordert haben, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.",
  },
  app_connected: {
    subject: (f) => `${f.app} ist mit ${f.shop} verbunden`,
    lead: (f) => `Die App ${f.app} hat jetzt Zugriff auf ${f.shop}. Sie können das jederzeit beenden.`,
  },
  app_widened: {
    subject: (f) => `${f.app} darf bei ${f.shop} mehr`,
    lead: (f) => `Der App ${f.app} wurde bei ${f.shop} mehr erlaubt. Neu ist:`,
  },
  app_disconnected: {
    subject: (f) => `${f.app} ist von ${f.shop} getrennt`,
    lead: (f) =>
      f.isReplay
        ? `Zur Sicherheit haben wir die App ${f.app} von ${f.shop} getrennt: Sie hat einen schon benutzten Code noch einmal gesendet, der in fremde Hände gelangt sein kann. Verbinden Sie die App erneut, wenn Sie sie nutzen.`
        : f.by === null
          ? `Wir haben die App ${f.app} von ${f.shop} getrennt. Sie hat keinen Zugriff mehr.`
          : `Die App ${f.app} hat ihre Verbindung mit ${f.shop} beendet. Sie hat keinen Zugriff mehr.`,
  },
  member_added: {
    subject: (f) => `${f.person} kann jetzt Apps mit ${f.shop} verbinden`,
    lead: (f) => `${f.person} gehört jetzt zu ${f.shop} und kann Apps verbinden und trennen.`,
  },
  member_removed: {
    subject: (f) => `${f.person} gehört nicht mehr zu ${f.shop}`,
    lead: (f) => `${f.person} kann die Seiten von ${f.shop} nicht mehr öffnen. Verbundene Apps bleiben verbunden.`,
  },
  password_changed: {
    subject: () => "Ihr Passwort wurde geändert",
    lead: (f) => `Das Konto ${f.email} hat ein neues Passwort.`,
  },
  second_factor_changed: {
    subject: () => "Die Sicherheit Ihres Kontos wurde geändert",
    lead: (f) => `Das wurde im Konto ${f.email} geändert:`,
    change: {
      passkey_added: "Ein Passkey wurde hinzugefügt.",
      passkey_removed: "Ein Passkey wurde entfernt.",
      removed_by_us: "Wir haben alle Passkeys entfernt, weil jemand einen verloren und uns darum gebeten hat.",
    },
  },
  new_device: {
    subject: () => "Neue Anmeldung in Ihrem Konto",
    lead: (f) => `Jemand hat sich mit einem Gerät, das wir nicht kannten, im Konto ${f.email} angemeldet.`,
  },
  client_secret_made: {
    subject: (f) => `${f.app} hat ein neues Secret`,
    lead: (f) =>
      `Die App ${f.app} hat ein neues Client-Secret. Wenn es niemand von Ihnen erstellt hat, beenden Sie es auf den Partnerseiten.`,
  },
  client_secret_ended: {
    subject: (f) => `Ein Secret von ${f.app} wurde beendet`,
    lead: (f) =>
      `Das bisherige Client-Secret der App ${f.app} wurde vorzeitig beendet. Aufrufe damit werden abgelehnt.`,
  },
  client_member_added: {
    subject: (f) => `${f.person} kann jetzt die Partnerseiten von ${f.app} öffnen`,
    lead: (f) => `${f.person} kann ab jetzt die Partnerseiten der App ${f.app} öffnen.`,
  },
  client_member_removed: {
    subject: (f) => `${f.person} kann die Partnerseiten von ${f.app} nicht mehr öffnen`,
    lead: (f) =>
      `${f.person} kann die Partnerseiten der App ${f.app} nicht mehr öffnen. Geheimnisse, die diese Person gesehen hat, gelten weiter.`,
  },
  test: {
    subject: (f) => `${f.product} kann E-Mails verschicken`,
    lead: () => "Diese E-Mail wurde zum Ausprobieren verschickt. Sie brauchen nichts zu tun.",
  },
};
