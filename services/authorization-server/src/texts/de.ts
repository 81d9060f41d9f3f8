import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

const inMinutes = (minutes: number) => new Intl.RelativeTimeFormat("de").format(minutes, "minute");

export const de: Texts = {
  language: "de",
  languageName: "Deutsch",
  skipToContent: "Zum Inhalt",
  contact: "Kontaktieren Sie uns",
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
      does: "Quellen, die Kunden in Ihrer Umfrage nennen können, etwa Podcasts.",
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
    cookies: (host) => html`Erlauben Sie Cookies für ${host}, und versuchen Sie es noch einmal.`,
    outOfDate: "Die Seite war veraltet. Nichts wurde geändert. Bitte prüfen und erneut versuchen.",
  },
  help: {
    heading: "Was Sie über verbundene Apps wissen sollten",
    answers: {
      app: "Was ist eine verbundene App, und was liest sie?\nSoftware eines anderen Anbieters, die auf die Umfragedaten Ihres Shops zugreifen darf, weil Sie oder ein anderes Mitglied zugestimmt haben.\nSie liest, was Sie erlaubt haben: in der Regel Name, Domain, Tarif und Fragen des Shops und alle bisherigen und künftigen Umfrageantworten, mit E-Mail-Adressen, Bestellungen, Seitenbesuchen und Freitexten Ihrer Kundschaft (Namen nur, wenn sie darin stehen).\nSie kann Antworten weder ändern noch löschen und sieht nie Ihr Passwort. Mit einer zweiten Berechtigung kann sie Quellen anlegen, zum Beispiel Podcasts. Ihre Berechtigungen sehen Sie, wenn Sie unter Verbundene Apps den Shop wählen.",
      paused:
        "Was bedeutet Pausiert?\nWir haben den Zugriff der App auf diesen Shop angehalten. Es wird nichts gelöscht. Nach dem Grund fragen Sie uns.\nSie können die App trennen, aber vor dem Ende der Pause kann ihr niemand neu zustimmen. Nach einer langen Pause müssen Sie sie vielleicht neu verbinden.",
      "connect-again":
        "Warum ist eine App abgelaufen oder nicht abgeschlossen, oder warum soll ich sie neu verbinden?\nSie wurde lange nicht genutzt (meist 30 Tage), hat das Verbinden nicht abgeschlossen, braucht weitere Berechtigungen oder hat ihren Zugriff verloren, oder Ihr Shop, der Anbieter oder wir haben sie getrennt. Beginnen Sie in der App, und stimmen Sie erneut zu. Ist sie pausiert, kontaktieren Sie zuerst uns.",
      plan: "Warum kann ich meinen Shop nicht auswählen, oder warum meldet eine App, sie habe keinen Zugriff?\nSteht der Shop nicht in der Liste, gehört dieses Konto nicht zu ihm: Nutzen Sie ein anderes Konto, oder kontaktieren Sie uns. Steht er dort, nennt die Seite den Grund: Die App ist pausiert, oder dem Tarif fehlt eine Berechtigung.\nNach einem Wechsel zum kleineren Tarif kann eine App weiter lesen, aber keine Quellen anlegen. Damit sie es wieder kann, bitten Sie uns um den alten Tarif, ohne die App neu zu verbinden.\nNach einem Wechsel zum größeren Tarif verbinden Sie die App neu, wenn Sie ihr im kleineren zugestimmt haben.",
      who: "Wer hat diese App verbunden?\nJedes Mitglied des Shops kann Apps verbinden. Die Seite der App (wählen Sie unter Verbundene Apps den Shop) zeigt, wer zuletzt zugestimmt hat, und wann.\nWenn Sie die App nicht kennen, notieren Sie die Angaben der Seite, trennen Sie die App, und sagen Sie uns Bescheid. Steht dort Ihr Name, obwohl Sie es nicht waren, tun Sie auch, was in der nächsten Antwort steht.",
      mail: "Ich habe eine E-Mail über eine Anmeldung, mein Passwort oder einen Passkey bekommen. Was soll ich tun?\nEinen Link für ein Passwort, den Sie nicht angefordert haben, ignorieren Sie. Sonst tun Sie nichts, wenn Sie es waren, zum Beispiel in einem anderen Browser, in einem privaten Fenster oder nach dem Löschen von Cookies.\nWaren Sie es nicht, legen Sie sofort ein neues Passwort fest: Das meldet alle ab. Melden Sie sich mit dem Konto einer anderen Firma an, wählen Sie Überall abmelden, und sichern Sie dieses Konto.\nEntfernen Sie dann Passkeys, die nicht von Ihnen sind (Ihre Passkeys, im Menü unter Ihrem Namen; geht das nicht, kontaktieren Sie uns), und trennen Sie unbekannte Apps.",
      remove:
        "Wie entferne ich eine App, oder widerrufe ich eine Zustimmung für den falschen Shop?\nÖffnen Sie Verbundene Apps, und wählen Sie Trennen oder Entfernen. Die App verliert sofort den Zugriff, behält aber bereits gelesene Daten.\nUm diese löschen zu lassen, schreiben Sie an die Adresse, die danach auf der Seite steht (oder in unserer E-Mail, wenn Sie die App nicht selbst getrennt haben); notieren Sie sie, denn sie verschwindet (fehlt sie oder antwortet niemand, kontaktieren Sie uns). Quellen, die die App angelegt hat, bleiben. Für den richtigen Shop beginnen Sie in der App von vorn.",
      data: "Wer hat die Daten meiner Kundschaft gesehen, und wie lösche ich sie?\nJede App, der Sie oder Ihr Team jemals das Lesen erlaubt haben, konnte alle Antworten lesen, auch ältere. Das konnte auch jeder mit einem API-Schlüssel Ihres Shops.\nWelche App oder welcher Schlüssel wie viel gelesen hat, und wann (meist für die letzten 13 Monate), sagen wir Ihnen: Kontaktieren Sie uns. Um welche Personen es ging, zeichnen wir nicht auf.\nBittet Sie jemand, Antworten zu löschen, löschen Sie sie in Ihrem Umfragetool: Apps, die verbunden sind, erfahren davon. Abgelaufene, pausierte und getrennte bitten Sie selbst darum (die Adressen kennen wir).",
      "lost-passkey":
        "Ich habe meinen Passkey verloren, oder mein Telefon oder Computer wurde gestohlen. Was kann ich tun?\nWurde das Gerät gestohlen, kontaktieren Sie uns sofort: Wir sperren Ihr Konto. Wer Ihre E-Mails lesen kann, kann hier ein neues Passwort festlegen; sichern Sie deshalb Ihr Postfach (oder das Konto der anderen Firma, mit dem Sie sich anmelden). Haben wir Ihr Konto noch nicht gesperrt, legen Sie danach ein neues Passwort fest, oder wählen Sie Überall abmelden.\nHaben Sie nur den Passkey verloren, behalten Sie Ihr Passwort, und melden Sie sich nicht überall ab: Sonst fragt danach jeder Browser nach dem Passkey. Nutzen Sie einen anderen, und entfernen Sie dann den verlorenen (Ihre Passkeys, im Menü unter Ihrem Namen).\nHaben Sie keinen anderen, melden Sie sich mit dem Passwort in einem Browser an, in dem Sie den Passkey schon verwendet haben. Verlangt dort eine Zustimmung den Passkey, brechen Sie ab, wählen Sie im Menü Anderes Konto nutzen, und melden Sie sich wieder an.\nWar es Ihr einziger, kontaktieren Sie uns. Wir prüfen dann, wer Sie sind.",
      "sign-in":
        "Ich kann mich nicht anmelden. Was kann ich tun?\nMelden Sie sich mit dem Konto einer anderen Firma an, folgen Sie der Seite; bei Fragen zu dessen Passwort hilft diese Firma. Ist Ihr Konto gesperrt, kontaktieren Sie uns. Sonst wählen Sie Passwort vergessen? Kommt keine E-Mail an, prüfen Sie den Spam-Ordner und die Adresse, und kontaktieren Sie dann uns. Nach zu vielen Versuchen warten Sie so lange, wie die Seite angibt.",
      left: "Jemand hat meine Firma verlassen, oder ich kenne ein Mitglied nicht. Was soll ich tun?\nKontaktieren Sie uns: Wir sagen Ihnen, wer Mitglied ist, und entfernen Mitglieder. Apps, denen sie zugestimmt haben, bleiben: Trennen Sie die nicht benötigten. Bitten Sie uns, API-Schlüssel zu ersetzen, die sie kennen.",
      sold: "Ich habe meinen Shop verkauft, oder will ihn oder mein Konto löschen. Was soll ich tun?\nKontaktieren Sie uns. Trennen Sie vor einem Verkauf die Apps, die der Käufer nicht übernimmt: Sie würden weiter lesen, und danach kann nur noch der Käufer sie trennen. Dann erhält der Käufer Zugriff; Ihr Zugriff und alle API-Schlüssel enden.\nTrennen Sie vor einer Löschung die Apps, und bitten Sie jede, ihre Kopie zu löschen (die Adresse steht danach auf der Seite).\nLöschen Sie nur Ihr Konto, bleibt ein Shop mit anderen Mitgliedern samt seinen Apps. Einige Aufzeichnungen bleiben, ohne Ihren Namen. Sicherungskopien enthalten alles noch eine Zeit lang.",
    },
    send: "Nennen Sie uns Ihre E-Mail-Adresse, Shop und App, und die Anfrage-ID, wenn eine Seite sie zeigt. Senden Sie nie Ihr Passwort oder einen Link.",
  },
  signIn: {
    title: "Anmelden",
    heading: (app) => html`Anmelden, um ${app} zu verbinden`,
    lead: "Anmelden, um verbundene Apps zu verwalten",
    email: "E-Mail",
    password: "Passwort",
    show: "Passwort anzeigen",
    wrong: "E-Mail oder Passwort ist falsch.",
    paused: "Ihr Konto ist gesperrt.",
    tooManyAttempts: (minutes) =>
      `Zu viele Versuche. Bitte versuchen Sie es ${inMinutes(minutes)} wieder.`,
    sessionEnded: "Ihre Sitzung ist abgelaufen. Bitte melden Sie sich wieder an.",
    signedOut: "Sie sind abgemeldet.",
    passwordChanged: "Ihr neues Passwort ist festgelegt. Melden Sie sich damit an.",
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
          html`Diese Anmeldung wurde schon benutzt, ist abgelaufen oder begann in einem anderen Browser.`,
        no_account: (_provider, email) => html`${email} hat hier kein Konto. Bitten Sie uns darum.`,
        not_connected: (provider) =>
          html`Ihr Konto bei ${provider} ist hier noch nicht verbunden. Versuchen Sie es in einigen Minuten wieder. Hilft das nicht, kontaktieren Sie uns.`,
        unverified: (provider) =>
          html`${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort.`,
        joined_with_another: (provider, email) =>
          html`${email} gehört zu einem anderen Konto bei ${provider}.`,
      },
    },
  },
  password: {
    heading: "Legen Sie ein neues Passwort fest",
    present: "Aktuelles Passwort",
    chosen: "Neues Passwort",
    repeated: "Neues Passwort wiederholen",
    show: "Passwörter anzeigen",
    rule: "Mindestens 15 Zeichen, etwa vier Wörter ohne Zusammenhang. Nicht Name, E-Mail, Shop oder unser Produktname.",
    problem: {
      too_short: "Nehmen Sie mindestens 15 Zeichen.",
      too_long: "Nehmen Sie höchstens 256 Zeichen.",
      blank: "Das Passwort darf nicht nur aus Leerzeichen bestehen.",
      common: "Dieses Passwort ist zu verbreitet.",
      personal: "Es enthält einen dieser Namen.",
      wrong: "Das aktuelle Passwort ist falsch.",
      again: "Geben Sie Ihr aktuelles Passwort noch einmal ein.",
      same: "Das ist Ihr aktuelles Passwort.",
      not_repeated: "Die neuen Passwörter stimmen nicht überein.",
    },
    change: {
      lead: "Überall sonst werden Sie abgemeldet.",
      submit: "Passwort ändern",
      done: "Passwort geändert",
      doneLead: "Überall sonst sind Sie jetzt abgemeldet.",
    },
    reset: { lead: "Sie werden überall abgemeldet.", submit: "Passwort festlegen" },
    ended: {
      title: "Dieser Link ist abgelaufen",
      lead: "Ein Link gilt nur einmal und nur kurze Zeit. Nehmen Sie den neuesten.",
      again: "Neuen Link anfordern",
    },
    forgot: {
      lead: "Wir schicken Ihnen einen Link für ein neues Passwort",
      submit: "Link senden",
      askUs: "Bitten Sie uns um einen Link für ein neues Passwort",
      notAnAddress: "Geben Sie eine vollständige E-Mail-Adresse ein, etwa anna@shop.example.",
      tooMany: (minutes) =>
        `Zu viele Anfragen. Prüfen Sie Postfach und Adresse, oder versuchen Sie es ${inMinutes(minutes)} wieder.`,
    },
    sent: {
      title: "Prüfen Sie Ihr Postfach",
      lead: (from) =>
        html`Gibt es dieses Konto, ist ein Link von ${from} unterwegs. Er gilt 30 Minuten.`,
      noMail: "Nach fünf Minuten keine E-Mail? Prüfen Sie Spam-Ordner und Adresse.",
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
    lasts: (link, duration) =>
      html`Der Zugriff endet, wenn Sie die App unter ${link} trennen oder sie ${duration} lang nicht genutzt wird.`,
    willNever:
      "Die App sieht Name, Domain und Tarif des Shops, nie Ihr Passwort oder Shops, denen Sie nicht zugestimmt haben.",
    findShop: "Shop nach Name oder Domain suchen",
    find: "Suchen",
    found: (found, all) => `${found === all ? "" : `${found} von `}${all} Shops`,
    showAll: "Alle zeigen",
    renews: "Ihre Zustimmung erneuert den Zugriff mit denselben Berechtigungen.",
    adds: "Neue Berechtigung:",
    drops: "Entfallende Berechtigung:",
    needs: (plan) => `Dafür ist der ${plan} nötig.`,
    changePlan: (plan) =>
      `Für diese App ist der ${plan} nötig. Bitten Sie uns um den Wechsel, und verbinden Sie die App dann noch einmal.`,
    paused: (product) => `Von ${product} pausiert.`,
    for: (shop) => html`Für ${shop}`,
    approve: "Zustimmen",
    decline: "Ablehnen",
    choose: "Wählen Sie einen Shop.",
    notOffered: "Dieser Shop lässt sich nicht verbinden. Wählen Sie einen anderen.",
    changed: "Etwas hat sich geändert. Bitte prüfen Sie es, bevor Sie zustimmen.",
    noShops: "Kein Shop in Ihrem Konto",
    noShopsLead: "Bitten Sie uns, Ihren Shop hinzuzufügen, oder nutzen Sie ein anderes Konto.",
    cannot: (app) => html`${app} lässt sich nicht verbinden`,
    backTo: (app) => html`Zurück zu ${app}`,
  },
  connectedApps: {
    title: "Verbundene Apps",
    heading: "Apps, die mit Ihren Shops verbunden sind",
    lead: "Sie oder Ihr Team haben jeder App zugestimmt.",
    none: "Noch keine verbundenen Apps",
    howToConnect: "Um eine App zu verbinden, beginnen Sie in der App.",
    permissions: "Berechtigungen",
    at: (app, shop) => html`${app} bei ${shop}`,
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
    lead: "Die App verliert sofort den Zugriff, behält aber bereits gelesene Daten.",
    removal: (app, shop) => html`${app} von ${shop} entfernen?`,
    removalLead:
      "Der Zugriff der App ist abgelaufen. Sie verschwindet aus Ihrer Liste, behält aber bereits gelesene Daten.",
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
    lead: "Ein Passkey schützt Sie, wenn Ihr Passwort gestohlen wird. Wir fragen auf neuen Geräten danach, und bevor eine App persönliche Daten erhält, außer gleich nach der Anmeldung.",
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
      byPasskey: (email) => html`Nutzen Sie den Passkey von ${email} zum Fortfahren.`,
      byPassword: (product) => `Geben Sie Ihr Passwort für ${product} ein, um fortzufahren.`,
      bySignIn: "Melden Sie sich noch einmal an, um fortzufahren.",
      use: "Passkey nutzen",
      confirm: "Bestätigen",
      failed: "Der Passkey wurde nicht genutzt. Bitte versuchen Sie es noch einmal.",
      noPasskey:
        "Dieser Browser unterstützt keine Passkeys, oder JavaScript ist aus. Nutzen Sie einen anderen.",
      lost: "Können Sie Ihren Passkey nicht nutzen?",
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
      lead: (app) => html`${app} kann gerade keine Shops verbinden. Kontaktieren Sie uns.`,
    },
    already_connected: { title: "Schon verbunden", lead: "Sie können zur App zurückkehren." },
    already_approved: {
      title: "Schon zugestimmt",
      lead: "Zurück zur App. Ist sie nicht verbunden, beginnen Sie dort noch einmal.",
    },
    ended: {
      title: "Diese Anfrage ist beendet",
      lead: "Sie wurde schon beantwortet, ist abgelaufen oder begann in einem anderen Browser. Beginnen Sie in der App noch einmal.",
    },
    no_cookies: {
      title: "Cookies sind blockiert",
      lead: (_app, host) =>
        html`Erlauben Sie Cookies für ${host}, kehren Sie zur App zurück, und verbinden Sie sie noch einmal.`,
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
