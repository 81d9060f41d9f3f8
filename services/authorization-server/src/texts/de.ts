import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
const inMinutes = (minutes: number) =>
  minutes === 1 ? "in einer Minute" : `in ${minutes} Minuten`;

export const de: Texts = {
  language: "de",
  languageName: "Deutsch",
  skipToContent: "Zum Inhalt",
  contact: "Kontaktieren Sie uns",
  back: "Zurück",
  tryAgain: "Noch einmal versuchen",
  plan: { standard: "Tarif Standard", advanced_attribution: "Tarif Erweiterte Attribution" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.de["responses:read"],
      does: "Alle Antworten, auch künftige. Ändern oder löschen kann sie keine.",
      personalData: "Auch E-Mail-Adressen, Bestellungen und Seitenbesuche Ihrer Kundschaft.",
    },
    "sources:write": {
      title: SCOPE_TITLES.de["sources:write"],
      does: "Zum Beispiel Podcasts oder Kanäle, die Kunden nennen können.",
      personalData: null,
    },
  },
  frame: {
    language: "Sprache",
    help: "Hilfe",
    privacy: "Datenschutz",
    terms: "Nutzungsbedingungen",
    account: "Konto",
    partner: "Partnerseiten",
    docs: "Dokumentation",
    error: "Fehler:",
    outOfDate: "Diese Seite war veraltet. Nichts wurde geändert. Bitte prüfen und noch einmal versuchen.",
  },
  help: {
    heading: "Was Sie über verbundene Apps wissen sollten",
    answers: [
      "Was ist eine verbundene App?",
      "Software eines anderen Anbieters, der Sie oder ein anderes Mitglied Ihres Shops erlaubt haben, die Umfragedaten des Shops zu nutzen.",
      "Was liest sie?",
      "Was Sie erlaubt haben: in der Regel alle bisherigen und künftigen Umfrageantworten des Shops, mit E-Mail-Adressen, Bestellungen, Seitenbesuchen und Freitexten Ihrer Kundschaft (Namen nur, wenn sie darin stehen). Sie kann Antworten weder ändern noch löschen. Mit einer zweiten Berechtigung kann sie Quellen hinzufügen, zum Beispiel Podcasts. Die Seite Einzelheiten unter Verbundene Apps nennt die Berechtigungen. Ihr Passwort sieht sie nie, und nur Shops, denen Sie zugestimmt haben; jede Zustimmung gilt für einen.",
      "Was bedeutet Pausiert?",
      "Wir haben den Zugriff der App auf diesen Shop angehalten. Es wird nichts gelöscht, aber bis zum Ende der Pause kann die App nichts lesen. Sie müssen nichts tun. Sie können die App trennen, aber bis zum Ende der Pause steht dort vielleicht weiter Pausiert. Nach einer langen Pause müssen Sie die App vielleicht neu verbinden.",
      "Warum soll ich eine App neu verbinden?",
      "Sie wurde lange nicht genutzt (meist 30 Tage), braucht weitere Berechtigungen oder hat ihren Zugriff verloren, oder Ihr Shop, der Anbieter oder wir haben sie getrennt. Beginnen Sie in der App, und stimmen Sie erneut zu. Ist sie pausiert, fragen Sie zuerst uns.",
      "Wer hat diese App verbunden?",
      "Jedes Mitglied des Shops kann Apps verbinden. Die Seite Einzelheiten unter Verbundene Apps zeigt, wer zuletzt zugestimmt hat, und wann. Wenn Sie die App nicht kennen, trennen Sie sie, und sagen Sie uns Bescheid. Steht dort Ihr Name, obwohl Sie es nicht waren, ändern Sie auch Ihr Passwort.",
      "Ich habe eine E-Mail über eine Anmeldung oder mein Passwort bekommen. Was soll ich tun?",
      "Nichts, wenn Sie es waren, zum Beispiel in einem anderen Browser, in einem privaten Fenster oder nach dem Löschen von Cookies. Waren Sie es nicht, legen Sie sofort ein neues Passwort fest: Das meldet alle ab. Melden Sie sich mit dem Konto einer anderen Firma an, wählen Sie Überall abmelden, und sichern Sie dieses Konto. Entfernen Sie dann Passkeys, die nicht von Ihnen sind (geht das nicht, fragen Sie uns), und trennen Sie unbekannte Apps.",
      "Wie entferne ich eine App?",
      "Öffnen Sie Verbundene Apps, und wählen Sie Trennen (ist die App abgelaufen, Entfernen). Die App verliert sofort den Zugriff, behält aber bereits gelesene Daten. Haben Sie den falschen Shop gewählt, notieren Sie zuerst die Adresse auf der Seite Einzelheiten (fehlt sie, fragen Sie uns). Trennen Sie die App, bitten Sie unter dieser Adresse, die gelesenen Daten zu löschen, und beginnen Sie in der App von vorn.",
      "Wer hat die Daten meiner Kundschaft gesehen?",
      "Jede verbundene oder getrennte App, und jeder mit einem API-Schlüssel Ihres Shops. Apps konnten auch Antworten aus der Zeit vor Ihrer Zustimmung lesen. Um Daten löschen zu lassen, schreiben Sie an den Anbieter auf der Seite Einzelheiten unter Verbundene Apps. Nach getrennten Apps und früheren Verbindungen fragen Sie uns.",
      "Ich kann mich nicht anmelden. Was kann ich tun?",
      "Wählen Sie Passwort vergessen? Kommt keine E-Mail an, prüfen Sie den Spam-Ordner und die Adresse. Nach zu vielen Versuchen warten Sie so lange, wie die Seite angibt, oder legen Sie ein neues Passwort fest. Haben Sie einen Passkey verloren, nutzen Sie einen anderen. Haben Sie keinen mehr, oder ist Ihr Konto gesperrt, fragen Sie uns. Wir prüfen dann, wer Sie sind.",
      "Wie lösche ich mein Konto oder meinen Shop?",
      "Fragen Sie uns. Bitten Sie vorher jede App, ihre Kopie zu löschen (die Adresse steht auf der Seite Einzelheiten), und trennen Sie dann die Apps: Danach sehen Sie diese Adressen nicht mehr.",
    ],
  },
  signIn: {
    title: "Anmelden",
    heading: (app) => html`Anmelden, um ${app} zu verbinden`,
    lead: "Anmelden, um verbundene Apps zu verwalten",
    email: "E-Mail",
    password: "Passwort",
    wrong: "E-Mail oder Passwort ist falsch.",
    paused: "Ihr Konto ist gesperrt.",
    tooManyAttempts: (minutes) =>
      `Zu viele Versuche. Bitte versuchen Sie es ${inMinutes(minutes)} wieder.`,
    sessionEnded: "Ihre Sitzung ist abgelaufen. Bitte melden Sie sich wieder an.",
    signedOut: "Sie sind abgemeldet.",
    passwordChanged: "Ihr neues Passwort ist gesetzt. Melden Sie sich damit an.",
    forgot: "Passwort vergessen?",
    safety: (product, host) =>
      html`Sie sind auf ${host}. Apps brauchen Ihr Passwort für ${product} nie.`,
    openId: {
      button: (provider) => html`Weiter mit ${provider}`,
      another: (provider) => html`Anderes Konto bei ${provider} nutzen`,
      back: "Zurück zur Anmeldung",
      failed: "Sie sind nicht angemeldet",
      problem: {
        unavailable: (provider) =>
          html`${provider} antwortet nicht. Versuchen Sie es in einer Minute wieder.`,
        misconfigured: (provider) =>
          html`Die Anmeldung mit ${provider} ist nicht richtig eingerichtet. Kontaktieren Sie uns.`,
        cancelled: (provider) => html`Sie haben die Anmeldung bei ${provider} abgebrochen.`,
        ended: () =>
          html`Diese Anmeldung ist verbraucht, abgelaufen oder aus einem anderen Browser.`,
        no_account: (_provider, email) =>
          html`${email} hat hier kein Konto. Bitten Sie uns um eines.`,
        not_connected: (provider) =>
          html`Ihr Konto bei ${provider} ist hier noch nicht verbunden. Versuchen Sie es in einigen Minuten wieder. Hilft das nicht, kontaktieren Sie uns.`,
        unverified: (provider) =>
          html`${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort.`,
        joined_with_another: (provider, email) =>
          html`${email} gehört zu einem anderen Konto bei ${provider}.`,
        paused: () => html`Ihr Konto ist gesperrt. Kontaktieren Sie uns.`,
      },
    },
  },
  password: {
    heading: "Wählen Sie ein neues Passwort",
    present: "Aktuelles Passwort",
    chosen: "Neues Passwort",
    repeated: "Neues Passwort wiederholen",
    rule: "Mindestens 15 Zeichen, etwa vier Wörter ohne Zusammenhang. Nicht Name, E-Mail oder Shop.",
    problem: {
      too_short: "Nehmen Sie mindestens 15 Zeichen.",
      too_long: "Nehmen Sie höchstens 256 Zeichen.",
      blank: "Nehmen Sie nicht nur Leerzeichen.",
      common: "Dieses Passwort ist zu verbreitet.",
      personal: "Nehmen Sie nicht Ihren Namen, Ihre E-Mail, Ihren Shop oder unseren Namen.",
      wrong: "Das aktuelle Passwort ist falsch.",
      same: "Das ist Ihr aktuelles Passwort.",
      not_repeated: "Die neuen Passwörter stimmen nicht überein.",
    },
    change: {
      lead: "Überall sonst werden Sie abgemeldet.",
      submit: "Passwort ändern",
      done: "Passwort geändert.",
    },
    reset: { lead: "Sie werden überall abgemeldet.", submit: "Passwort setzen" },
    ended: {
      title: "Dieser Link ist abgelaufen",
      lead: "Links gelten einmal und nur kurz. Nehmen Sie den neuesten.",
      again: "Neuen Link anfordern",
    },
    forgot: {
      lead: "Wir schicken Ihnen einen Link für ein neues Passwort",
      submit: "Link senden",
      askUs: "Bitten Sie uns um einen Link für ein neues Passwort",
      notAnAddress: "Geben Sie eine vollständige E-Mail-Adresse ein, etwa anna@shop.example.",
      tooMany: (minutes) =>
        `Mehrere E-Mails sind unterwegs. Sehen Sie ins Postfach, sonst ${inMinutes(minutes)} wieder.`,
    },
    sent: {
      title: "Sehen Sie in Ihr Postfach",
      lead: (from) =>
        html`Gibt es dieses Konto, ist ein Link von ${from} unterwegs. Er gilt 30 Minuten.`,
      noMail: "Nach fünf Minuten keine E-Mail? Sehen Sie im Spam-Ordner nach.",
      again: "Noch einmal senden",
    },
  },
  consent: {
    title: (app) => `${app} verbinden`,
    heading: (app, shop) => html`${app} mit ${shop} verbinden?`,
    yourShop: "Ihrem Shop",
    lead: (host) => html`Sie kehren in jedem Fall zu ${host} zurück.`,
    shop: "Welcher Shop?",
    by: (publisher) => html`Von ${publisher}`,
    privacyPolicy: "Datenschutzerklärung",
    wouldAllow: "Die App kann dann",
    notIncluded: "Nicht enthalten",
    lasts: "Der Zugriff gilt, bis Sie die App trennen",
    ending: (link, duration) =>
      html`Trennen Sie die App jederzeit unter ${link}. Ungenutzt gilt der Zugriff ${duration}.`,
    willNever: "Die App sieht nie Ihr Passwort oder Shops, denen Sie nicht zugestimmt haben.",
    findShop: "Shop nach Name oder Domain suchen",
    find: "Suchen",
    found: (found, all) => `${found === all ? "" : `${found} von `}${all} Shops`,
    showAll: "Alle zeigen",
    renews: "Ihre Zustimmung erneuert den Zugriff mit denselben Berechtigungen.",
    adds: "Neue Berechtigung:",
    drops: "Entfallende Berechtigung:",
    needs: (plan) => `Dafür ist der ${plan} nötig.`,
    paused: (product) => `Von ${product} pausiert.`,
    for: (shop) => html`Für ${shop}`,
    approve: "Zustimmen",
    decline: "Ablehnen",
    chooseFirst: "Wählen Sie zuerst einen Shop.",
    notOffered: "Dieser Shop lässt sich nicht verbinden. Wählen Sie einen anderen.",
    changed: "Etwas hat sich geändert. Bitte prüfen Sie es, bevor Sie zustimmen.",
    noShops: "Kein Shop in Ihrem Konto",
    noShopsLead: "Bitten Sie uns, Ihren Shop hinzuzufügen, oder nutzen Sie ein anderes Konto.",
    otherPlan: (shop, has, needed) =>
      html`${shop} hat den ${has}. Diese App braucht den ${needed}.`,
    cannot: (app) => html`${app} lässt sich nicht verbinden`,
    backTo: (app) => html`Zurück zu ${app}`,
  },
  connectedApps: {
    title: "Verbundene Apps",
    heading: "Apps, die mit Ihren Shops verbunden sind",
    lead: "Sie oder Ihr Team haben jeder App zugestimmt. Trennen wirkt sofort.",
    none: "Noch keine verbundenen Apps",
    howToConnect: "Um eine App zu verbinden, beginnen Sie in der App.",
    details: "Einzelheiten",
    permissions: "Berechtigungen",
    at: (app, shop) => html`${app} bei ${shop}`,
    since: "Verbunden seit",
    approvedBy: "Letzte Zustimmung von",
    lastUsed: "Zuletzt genutzt",
    never: "Noch nicht genutzt",
    expires: "Läuft ungenutzt ab",
    status: {
      connected: "Verbunden",
      approved: "Nicht abgeschlossen",
      expired: "Abgelaufen",
      disabled: "Pausiert",
      revoked: "Getrennt",
    },
    disconnect: "Trennen",
    search: "Shop oder App suchen",
    earlier: "Zurück",
    later: "Weiter",
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
    deletion: (contact) => html`Um Ihre Daten löschen zu lassen, schreiben Sie an ${contact}.`,
    disconnected: (app, shop) => html`${app} hat keinen Zugriff mehr auf ${shop}.`,
  },
  disconnect: {
    heading: (app, shop) => html`${app} von ${shop} trennen?`,
    lead: "Sie verliert sofort den Zugriff, behält aber bereits gelesene Daten.",
    removal: (app, shop) => html`${app} von ${shop} entfernen?`,
    removalLead: "Seit dem Ablauf hat sie keinen Zugriff mehr. Gelesene Daten behält sie.",
    again: "Sie können sie wieder verbinden.",
    remove: "Entfernen",
    keep: "Abbrechen",
  },
  account: {
    useAnother: "Anderes Konto nutzen",
    signOut: "Abmelden",
    signOutEverywhere: "Überall abmelden",
  },
  passkeys: {
    title: "Ihre Passkeys",
    lead: "Ein Passkey schützt Sie, wenn Ihr Passwort gestohlen wird. Wir fragen auf neuen Geräten danach, und bevor eine App persönliche Daten erhält.",
    since: (date) => html`Hinzugefügt ${date}.`,
    used: (date) => html`Zuletzt genutzt ${date}.`,
    name: "Bezeichnung",
    newName: "Mein Passkey",
    remove: "Passkey entfernen",
    removesLast: "Das ist Ihr einziger Passkey. Danach melden Sie sich nur mit dem Passwort an.",
    add: "Passkey hinzufügen",
    done: { added: "Passkey hinzugefügt.", removed: "Passkey entfernt." },
    problem: {
      name: "Geben Sie einen Namen mit höchstens 100 Zeichen ein.",
      not_made: "Der Passkey ließ sich nicht prüfen. Bitte versuchen Sie es noch einmal.",
    },
    proof: {
      title: "Bestätigen Sie Ihre Identität",
      byPasskey: (email) => html`Nutzen Sie den Passkey von ${email}, um fortzufahren.`,
      byPassword: (email) => html`Geben Sie das Passwort von ${email} ein, um fortzufahren.`,
      use: "Passkey nutzen",
      confirm: "Bestätigen",
      failed: "Der Passkey wurde nicht genutzt. Bitte versuchen Sie es noch einmal.",
      noPasskey:
        "Dieser Browser kann keine Passkeys, oder JavaScript ist aus. Nehmen Sie einen anderen Browser.",
      lost: "Passkey verloren?",
      wrong: "Dieser Passkey gilt hier nicht. Bitte versuchen Sie es noch einmal.",
    },
  },
  failure: {
    invalid_link: {
      title: "Dieser Link funktioniert nicht",
      lead: (app) =>
        html`${app} hat eine ungültige Anfrage geschickt. Versuchen Sie es noch einmal, oder fragen Sie den Entwickler.`,
    },
    client_disabled: {
      title: "Diese App lässt sich nicht verbinden",
      lead: (app) =>
        html`${app} kann gerade keine Shops verbinden. Kontaktieren Sie uns.`,
    },
    already_connected: { title: "Schon verbunden", lead: "Sie können zur App zurückkehren." },
    already_approved: {
      title: "Schon zugestimmt",
      lead: "Zurück zur App. Ist sie nicht verbunden, beginnen Sie dort noch einmal.",
    },
    ended: {
      title: "Diese Anfrage ist beendet",
      lead: "Sie ist beantwortet, abgelaufen oder aus einem anderen Browser. Beginnen Sie in der App noch einmal.",
    },
    no_cookies: {
      title: "Cookies sind blockiert",
      lead: (_app, host) =>
        html`Erlauben Sie Cookies für ${host}, und beginnen Sie im selben Browser noch einmal.`,
    },
    bad_request: {
      title: "Anfrage nicht angenommen",
      lead: "Nichts wurde geändert. Gehen Sie bitte zurück, und versuchen Sie es noch einmal.",
    },
    not_found: { title: "Seite nicht gefunden", lead: "Prüfen Sie die Adresse." },
    too_many_requests: {
      title: "Zu viele Anfragen",
      lead: "Aus Ihrem Netz kamen viele Anfragen. Bitte warten Sie eine Minute.",
    },
    unavailable: {
      title: "Bitte versuchen Sie es gleich noch einmal",
      lead: "Wir können gerade nicht antworten. Bitte warten Sie einige Sekunden.",
    },
    unexpected: {
      title: "Etwas ist schiefgegangen",
      lead: "Der Fehler liegt bei uns. Bitte noch einmal versuchen.",
    },
  },
  failurePage: { unnamedApp: "Die App", forDevelopers: "Für Entwickler", requestId: "Anfrage-ID" },
};
