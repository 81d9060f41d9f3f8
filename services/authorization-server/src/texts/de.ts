import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
const inMinutes = (minutes: number) => (minutes === 1 ? "in einer Minute" : `in ${minutes} Minuten`);

export const de: Texts = {
  language: "de",
  languageName: "Deutsch",
  skipToContent: "Zum Inhalt",
  plan: { standard: "Tarif Standard", advanced_attribution: "Tarif Erweiterte Attribution" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.de["responses:read"],
      does: "Alle bisherigen und künftigen Antworten Ihrer Kundschaft.",
      personalData: "E-Mail-Adressen und Bestelldaten Ihrer Kundschaft",
      doesNot: "Die App kann nichts ändern oder löschen.",
    },
    "sources:write": {
      title: SCOPE_TITLES.de["sources:write"],
      does: "Neue Quellen wie Podcasts oder Kanäle, denen Antworten zugerechnet werden können.",
      personalData: null,
      doesNot: "Die App kann keine Quelle entfernen.",
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
    outOfDate: "Diese Seite war veraltet, und nichts wurde geändert. Bitte versuchen Sie es noch einmal.",
  },
  signIn: {
    title: "Anmelden",
    lead: (app) =>
      app
        ? html`${app} möchte mit Ihrem Shop verbunden werden. Melden Sie sich an, um zu sehen, worum es geht. Nichts wird weitergegeben, bevor Sie zustimmen.`
        : html`Melden Sie sich an, um die mit Ihren Shops verbundenen Apps zu sehen und zu verwalten.`,
    email: "E-Mail",
    password: "Passwort",
    wrong: "E-Mail oder Passwort stimmt nicht. Bitte versuchen Sie es noch einmal.",
    paused: "Ihr Konto ist gesperrt. Niemand kann sich damit anmelden.",
    tooManyAttempts: (minutes) => `Zu viele Anmeldeversuche. Bitte versuchen Sie es ${inMinutes(minutes)} wieder.`,
    outOfDate: "Diese Seite war veraltet, und nichts wurde gesendet. Bitte melden Sie sich noch einmal an.",
    sessionEnded:
      "Sie wurden abgemeldet, weil Ihre Sitzung beendet ist. Nichts wurde weitergegeben. Bitte melden Sie sich wieder an.",
    signedOut: "Sie sind abgemeldet.",
    signedOutEverywhere: "Sie sind überall abgemeldet.",
    passwordChanged: "Ihr neues Passwort gilt. Melden Sie sich jetzt damit an.",
    forgot: "Passwort vergessen?",
    decline: (app) => html`${app} nicht verbinden`,
    safety: (product, host) =>
      html`Es geht um Ihr Konto bei ${product}, und Sie sind auf ${host}. Geben Sie dessen Passwort nur auf dieser Seite ein. Eine App braucht es nie.`,
    openId: {
      button: (provider) => html`Weiter mit ${provider}`,
      tryAgain: "Noch einmal versuchen",
      another: (provider) => html`Ein anderes Konto bei ${provider} verwenden`,
      back: "Zurück zur Anmeldung",
      problem: {
        unavailable: {
          title: (provider) => `${provider} antwortet nicht`,
          lead: (provider) =>
            html`Wir konnten ${provider} nicht erreichen oder die Antwort nicht verstehen. Nichts ging verloren, und nichts wurde weitergegeben. Bitte versuchen Sie es in einer Minute noch einmal.`,
        },
        cancelled: {
          title: () => "Sie haben sich nicht angemeldet",
          lead: (provider) => html`Sie haben die Anmeldung bei ${provider} abgebrochen. Nichts wurde weitergegeben.`,
        },
        ended: {
          title: () => "Diese Anmeldung ist beendet",
          lead: () =>
            html`Sie wurde schon verwendet, hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Bitte beginnen Sie noch einmal.`,
        },
        no_account: {
          title: () => "Es gibt kein Konto mit dieser Adresse",
          lead: (provider, email) =>
            html`Bei ${provider} sind Sie ${email}, und hier hat niemand ein Konto mit dieser Adresse. Wenn Sie bei ${provider} ein anderes Konto haben, verwenden Sie das. Wenn Sie neu sind, bitten Sie uns um ein Konto mit dieser Adresse.`,
        },
        unverified: {
          title: () => "Ihre Adresse ist nicht bestätigt",
          lead: (provider) =>
            html`${provider} hat Ihre E-Mail-Adresse nicht geprüft, deshalb wissen wir nicht, welches Konto hier Ihres ist. Bestätigen Sie die Adresse bei ${provider}, und versuchen Sie es dann noch einmal.`,
        },
        joined_with_another: {
          title: () => "Hier meldet sich ein anderes Konto an",
          lead: (provider, email) =>
            html`Das Konto ${email} gehört hier zu einem anderen Konto bei ${provider}, das diese Adresse früher hatte. Verwenden Sie jenes. Wenn es das nicht mehr gibt, können nur wir Ihnen das Konto hier geben.`,
        },
        paused: {
          title: () => "Ihr Konto ist gesperrt",
          lead: () => html`Im Moment kann sich niemand damit anmelden.`,
        },
      },
    },
  },
  password: {
    present: "Aktuelles Passwort",
    chosen: "Neues Passwort",
    repeated: "Neues Passwort noch einmal",
    rule: "Mindestens 15 Zeichen. Vier oder fünf Wörter, die nichts miteinander zu tun haben, sind stark und leicht zu merken; Leerzeichen sind erlaubt. Nicht Ihre E-Mail, Ihr Name, Ihr Shop oder unser Name.",
    problem: {
      too_short: "Das ist zu kurz: Nehmen Sie mindestens 15 Zeichen.",
      too_long: "Das ist zu lang: Nehmen Sie höchstens 256 Zeichen.",
      blank: "Das sind nur Leerzeichen. Bitte wählen Sie etwas, das man lesen kann.",
      common: "Dieses Passwort haben viele, deshalb wird es zuerst probiert. Bitte wählen Sie ein anderes.",
      personal:
        "Das ist kaum mehr als ein Name, den andere kennen, deshalb wird es zuerst probiert. Bitte wählen Sie etwas anderes.",
      wrong: "Das ist nicht Ihr aktuelles Passwort.",
      same: "Dieses Passwort haben Sie schon. Bitte wählen Sie ein anderes.",
      not_repeated: "Die beiden neuen Passwörter sind nicht gleich. Bitte geben Sie das neue noch einmal ein.",
    },
    tooManyAttempts: (minutes) =>
      `Zu viele Versuche mit einem falschen Passwort. Bitte versuchen Sie es ${inMinutes(minutes)} wieder.`,
    change: {
      title: "Passwort ändern",
      lead: "Hier bleiben Sie angemeldet. Überall sonst werden Sie abgemeldet.",
      submit: "Neues Passwort speichern",
      done: "Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.",
    },
    reset: {
      title: "Neues Passwort setzen",
      lead: (email) =>
        html`Für das Konto ${email}. Sie werden überall abgemeldet und können sich dann mit dem neuen Passwort anmelden.`,
      submit: "Passwort setzen",
    },
    ended: {
      title: "Dieser Link gilt nicht mehr",
      lead: "Ein Link für ein Passwort gilt einmal: 30 Minuten lang, bei einem neuen Konto sieben Tage. Ein neuerer Link beendet ihn. Wenn Sie eben damit ein Passwort gesetzt haben, melden Sie sich mit diesem Passwort an.",
      next: "Wenn nicht, bitten Sie um einen neuen Link.",
    },
    forgot: {
      title: "Passwort vergessen",
      lead: "Passwörter verschicken wir nicht. Sie bekommen von uns einen Link und wählen selbst ein neues Passwort.",
      steps: [
        "Bitten Sie uns um einen Link für ein neues Passwort. Nennen Sie uns die E-Mail, mit der Sie sich anmelden.",
        "Öffnen Sie den Link innerhalb von 30 Minuten. Er gilt einmal.",
        "Wählen Sie ein neues Passwort und melden Sie sich damit an. Ihre Shops und verbundenen Apps bleiben, wie sie sind. Wenn eine App Sie hierher geschickt hat, beginnen Sie dort noch einmal.",
      ],
      askHere: "So erreichen Sie uns",
    },
    forgotByMail: {
      notAnAddress: "Das ist keine vollständige E-Mail-Adresse wie anna@shop.example.",
      lead: "Geben Sie die E-Mail ein, mit der Sie sich anmelden. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
      submit: "Link schicken",
      outOfDate: "Diese Seite war veraltet, und nichts wurde verschickt. Bitte versuchen Sie es noch einmal.",
      tooMany: (minutes) =>
        `In kurzer Zeit wurden mehrere Mails angefordert. Sehen Sie in Ihrem Postfach nach, oder versuchen Sie es ${inMinutes(minutes)} wieder.`,
      sent: {
        title: "Sehen Sie in Ihrem Postfach nach",
        lead: (from) =>
          html`Wenn es ein Konto mit dieser E-Mail gibt, ist eine Mail von ${from} unterwegs. Der Link darin gilt einmal und 30 Minuten lang.`,
        noMail: "Wenn innerhalb von fünf Minuten keine Mail kommt:",
        steps: [
          "Sehen Sie auch im Ordner für Spam nach.",
          "Vielleicht melden Sie sich mit einer anderen Adresse an, oder diese war falsch geschrieben. Fordern Sie den Link noch einmal an.",
        ],
        again: "Noch einmal anfordern",
      },
    },
  },
  consent: {
    title: (app) => `${app} verbinden`,
    heading: (app) => html`${app} mit Ihrem Shop verbinden?`,
    lead: (host) => html`Wie Sie auch entscheiden, kehren Sie danach zu ${host} zurück.`,
    chooseShop: "Welcher Shop?",
    oneShop: "Ihr Shop",
    by: (publisher) => html`Von ${publisher}`,
    verified: (product, date) => html`Geprüft von ${product} am ${date}`,
    allowOptional: "Auch das erlauben. Sie können es weglassen.",
    optional: "freiwillig",
    nothingLeft:
      "Sie haben alles weggelassen, worum die App bittet. Bitte erlauben Sie etwas davon, oder lehnen Sie ab.",
    privacyPolicy: "Datenschutzerklärung",
    wouldAllow: "Wenn Sie zustimmen, kann die App",
    personalData: "Persönliche Daten:",
    notGranted: (plan) => `Nicht gewährt: im ${plan} nicht enthalten.`,
    notGrantedWith: (plans) => `Nicht gewährt für Shops mit dem ${plans}: dort nicht enthalten.`,
    lasts: "Der Zugriff gilt, bis Sie ihn beenden",
    ending: (link, duration) =>
      html`Das können Sie jederzeit unter ${link}. Er läuft ab, wenn die App ihn ${duration} lang nicht nutzt.`,
    willNever: "Die App sieht nie Ihr Passwort und erhält nichts, was hier nicht steht, und nichts von anderen Shops.",
    findShop: "Shop nach Name oder Domain suchen",
    find: "Suchen",
    found: (found, all) => `${found} von ${all} Shops`,
    foundNone: "Kein Shop gefunden. Versuchen Sie es mit einem Teil des Namens oder der Domain.",
    showAll: "Alle zeigen",
    allowedNow: "Darf jetzt:",
    adds: "Kommt hinzu:",
    drops: "Fällt weg:",
    unchanged: "Was die App darf, bleibt gleich.",
    replaces:
      "Ihre Zustimmung ersetzt den bisherigen Zugriff der App. Den neuen erhält sie erst, wenn sie die Verbindung abgeschlossen hat.",
    pausedMeans: html`<b>Angehalten:</b> Wir haben diese App für den Shop angehalten.`,
    unavailable: "Nicht verfügbar",
    unavailableMeans: html`<b>Nicht verfügbar:</b> Im Tarif des Shops ist nichts von dem enthalten, worum die App bittet.`,
    away: "Nicht erreichbar",
    awayMeans: html`<b>Nicht erreichbar:</b> Wir können die Verbindungen dieses Shops im Moment nicht lesen. Bitte versuchen Sie es in einigen Minuten noch einmal.`,
    held: "Nicht wählbar: Wir haben diese App für diesen Shop angehalten.",
    approve: "Zustimmen",
    approveFor: (shop) => html`Zustimmen für ${shop}`,
    decline: "Ablehnen",
    chooseFirst: "Bitte wählen Sie zuerst den Shop.",
    notOffered: "Dieser Shop ist nicht wählbar. Bitte wählen Sie einen der Shops unten.",
    changed:
      "Was gewährt werden kann, hat sich geändert, seit diese Seite geöffnet wurde. Bitte prüfen Sie es noch einmal.",
    otherAccount: "Sie sind jetzt mit einem anderen Konto angemeldet. Bitte prüfen Sie die Angaben noch einmal.",
    outOfDate: "Diese Seite war veraltet, und nichts wurde gewährt. Bitte prüfen Sie die Angaben noch einmal.",
    noShops: "In Ihrem Konto gibt es noch keinen Shop",
    noShopsLead:
      "Eine App lässt sich nur mit einem Shop verbinden. Bitten Sie uns, Sie zu Ihrem Shop hinzuzufügen, oder nutzen Sie ein anderes Konto. Sie können auch zur App zurückkehren, ohne sie zu verbinden.",
    back: (app) => html`Zurück zu ${app}`,
  },
  nothingToGrant: {
    title: (shops) => (shops === 1 ? "Ihr Shop lässt sich nicht verbinden" : "Ihre Shops lassen sich nicht verbinden"),
    lead: (app) => html`Sie können ${app} zurzeit nichts gewähren.`,
    notInPlan: (asked, plan) => `Die App bittet um „${asked}“. Das ist im ${plan} nicht enthalten.`,
    notAllowed: "Die App darf darum nicht mehr bitten. Bitte sagen Sie es dem Entwickler der App.",
    held: "Wir haben diese App angehalten.",
    more: (shops) => (shops === 1 ? "1 weiterer Shop" : `${shops} weitere Shops`),
  },
  decline: {
    title: "Diese Anfrage ablehnen?",
    lead: (app, host) => html`${app} erhält keinen Zugriff, und Sie kehren zu ${host} zurück.`,
    back: "Zurück",
  },
  returnToPartner: {
    title: "Sie kehren zur App zurück",
    lead: (app) => html`Wir leiten Sie zu ${app} zurück.`,
    link: "Weiter",
  },
  connectedApps: {
    title: "Verbundene Apps",
    lead: "Diese Apps können Daten Ihrer Shops nutzen. Sie können jede trennen. Das wirkt sofort.",
    none: "Mit diesem Shop ist keine App verbunden.",
    away: "Wir können die Verbindungen dieses Shops im Moment nicht lesen. An ihnen hat sich nichts geändert. Bitte versuchen Sie es in einigen Minuten noch einmal.",
    noShops: "In Ihrem Konto gibt es noch keinen Shop. Bitten Sie uns, Sie zu Ihrem Shop hinzuzufügen.",
    can: "Darf",
    approvedBy: "Zugestimmt von",
    more: "Einzelheiten",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Zuletzt genutzt",
    expires: "Zugriff",
    expiresIfUnused: (date) => html`Läuft am ${date} ab, wenn ungenutzt`,
    status: {
      connected: "Verbunden",
      approved: "Noch nicht abgeschlossen",
      expired: "Abgelaufen",
      disabled: "Angehalten",
    },
    approved:
      "Der App wurde zugestimmt, aber sie hat die Verbindung noch nicht abgeschlossen. Erst dann erhält sie Zugriff. Dauert das länger als einige Minuten, beginnen Sie in der App noch einmal.",
    expired:
      "Die App hat ihren Zugriff lange nicht genutzt, deshalb ist er beendet. Die App kann Sie bitten, sie wieder zu verbinden.",
    disabled: "Wir haben diese Verbindung angehalten. Die App hat zurzeit keinen Zugriff.",
    disconnect: "Trennen",
    records: (count, number) => (count === 1 ? "1 Datensatz" : `${number} Datensätze`),
    calls: (count, number) => (count === 1 ? "in 1 Abruf" : `in ${number} Abrufen`),
    read: "In den letzten 30 Tagen gelesen",
    readNothing: "Nichts",
    search: "Shop oder App suchen",
    earlier: "Zurück",
    later: "Weiter",
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
    without: (shops) => (shops === 1 ? "1 Shop ohne Apps" : `${shops} Shops ohne Apps`),
    moreWithout: (shops) =>
      shops === 1
        ? "Und 1 weiterer: Suchen Sie nach seinem Namen."
        : `Und ${shops} weitere: Suchen Sie nach ihren Namen.`,
    deletion: (contact) => html`Um löschen zu lassen, was sie gelesen hat, schreiben Sie an ${contact}.`,
    howToConnect:
      "Um eine zu verbinden, beginnen Sie in der App selbst. Sie schickt Sie hierher, wo Sie den Shop wählen und zustimmen.",
    disconnected: (app, shop) => html`${app} ist getrennt und hat keinen Zugriff mehr auf ${shop}.`,
  },
  disconnect: {
    title: (app) => `${app} trennen`,
    heading: (app, shop) => html`${app} von ${shop} trennen?`,
    lead: (app, shop) => html`${app} verliert sofort den Zugriff auf ${shop}.`,
    consequences: (app) => [
      html`${app} kann nichts mehr lesen oder anlegen.`,
      html`Der Entwickler der App behält, was sie schon gelesen hat. Wenden Sie sich an ihn, wenn es gelöscht werden soll.`,
      html`Ihr Shop und Ihre Umfragen bleiben, wie sie sind. Sie können die App später wieder verbinden.`,
    ],
    unfinished: (app, shop) =>
      html`${app} hat die Verbindung mit ${shop} noch nicht abgeschlossen. Wenn Sie die App jetzt trennen, gilt Ihre Zustimmung nicht mehr, und die App erhält keinen Zugriff. Sie können sie später wieder verbinden.`,
    keep: "Verbunden lassen",
  },
  account: {
    signedInAs: (merchant, email) => html`Angemeldet als ${merchant} ${email}`,
    useAnother: "Anderes Konto nutzen",
    signOut: "Abmelden",
    signOutEverywhere: "Überall abmelden",
    changePassword: "Passwort ändern",
  },
  passkeys: {
    title: "Ihre Passkeys",
    lead: "Ein Passkey liegt auf Ihrem Gerät oder in Ihrem Passwortmanager. Sobald Sie einen haben, reicht Ihr Passwort allein nicht mehr: Wir fragen nach dem Passkey, wenn Sie sich auf einem neuen Gerät anmelden, und bevor eine App personenbezogene Daten Ihrer Kunden erhält.",
    none: "Sie haben noch keinen Passkey.",
    since: (date) => html`Hinzugefügt ${date}.`,
    used: (date) => html`Zuletzt verwendet ${date}.`,
    unused: "Noch nicht verwendet.",
    change: "Umbenennen oder entfernen",
    name: "Name des Passkeys",
    newName: "Mein Passkey",
    rename: "Umbenennen",
    remove: "Entfernen",
    removes: "Niemand kann diesen Passkey hier mehr verwenden. Überall sonst werden Sie abgemeldet.",
    removesLast:
      "Das ist Ihr einziger Passkey. Ohne ihn reicht wieder das Passwort allein. Überall sonst werden Sie abgemeldet.",
    add: "Passkey hinzufügen",
    proveFirst: "Bevor Sie hier etwas ändern, bestätigen Sie, dass Sie es sind.",
    done: {
      added: "Der Passkey ist hinzugefügt. Überall sonst sind Sie abgemeldet.",
      renamed: "Der Passkey hat seinen neuen Namen.",
      removed: "Der Passkey ist entfernt. Überall sonst sind Sie abgemeldet.",
    },
    problem: {
      name: "Bitte geben Sie einen lesbaren Namen mit höchstens 100 Zeichen ein.",
      not_made:
        "Die Antwort Ihres Browsers ließ sich nicht prüfen, daher wurde kein Passkey hinzugefügt. Bitte versuchen Sie es erneut.",
      changed: "Ihr Konto wurde inzwischen geändert, und es ist nichts geschehen. Bitte sehen Sie noch einmal nach.",
    },
    proof: {
      title: "Bestätigen Sie, dass Sie es sind",
      lead: {
        sign_in: (email) =>
          html`Ihr Passwort war richtig. Sie melden sich mit ${email} auf einem Gerät an, das wir nicht kennen, daher fragen wir auch nach Ihrem Passkey.`,
        again: (email) => html`Verwenden Sie den Passkey von ${email}. Danach geht es dort weiter, wo Sie waren.`,
      },
      byPassword: (email) => html`Geben Sie das Passwort von ${email} ein. Danach geht es dort weiter, wo Sie waren.`,
      use: "Passkey verwenden",
      confirm: "Bestätigen",
      failed: "Der Passkey wurde nicht verwendet. Bitte versuchen Sie es erneut.",
      noPasskey: {
        get: "Passkeys brauchen Skripte, die dieser Browser hier nicht ausführt, oder er kennt keine Passkeys. Verwenden Sie einen anderen Browser.",
        create:
          "Passkeys brauchen Skripte, die dieser Browser hier nicht ausführt, oder er kennt keine Passkeys. Verwenden Sie einen anderen Browser, um einen hinzuzufügen.",
      },
      lost: "Passkey verloren?",
      outOfDate: "Diese Seite war veraltet. Bitte versuchen Sie es noch einmal.",
      wrong: "Dieser Passkey lässt sich hier nicht verwenden. Bitte versuchen Sie es erneut.",
    },
  },
  failure: {
    invalid_link: {
      title: "Dieser Link funktioniert nicht",
      lead: (app) =>
        html`${app} hat Sie mit einer Anfrage hergeschickt, die wir nicht annehmen können. Nichts wurde weitergegeben. Bitte gehen Sie zur App zurück und versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie es dem Entwickler der App.`,
    },
    client_disabled: {
      title: "Diese App lässt sich nicht verbinden",
      lead: (app) =>
        html`${app} darf zurzeit keine Shops verbinden. Nichts wurde weitergegeben. Bitte fragen Sie den Entwickler der App.`,
    },
    already_connected: {
      title: "Bereits verbunden",
      lead: "Diese App ist mit dem gewählten Shop verbunden. Hier ist nichts mehr zu tun.",
    },
    ended: {
      title: "Diese Anfrage ist beendet",
      lead: "Sie wurde schon beantwortet, hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Hier geschieht nichts mehr. Um einen Shop zu verbinden, beginnen Sie bitte in der App von vorn.",
    },
    foreign_form: {
      title: "Das haben wir nicht angenommen",
      lead: "Was gesendet wurde, kam nicht von einer unserer Seiten, deshalb haben wir nichts getan. Bitte gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    bad_request: {
      title: "Das konnten wir nicht lesen",
      lead: "Was Ihr Browser gesendet hat, war nicht vollständig, deshalb haben wir nichts getan. Bitte gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    not_found: {
      title: "Hier ist nichts",
      lead: "Die Adresse ist vielleicht vertippt, oder die Seite gibt es nicht mehr.",
    },
    too_many_requests: {
      title: "Zu viele Anfragen",
      lead: "Aus Ihrem Netz kamen in kurzer Zeit viele Anfragen.",
    },
    unavailable: {
      title: "Bitte gleich noch einmal",
      lead: "Wir können im Augenblick nicht antworten. Nichts ging verloren, nichts wurde weitergegeben. Bitte versuchen Sie es in ein paar Sekunden wieder.",
    },
    unexpected: {
      title: "Hier ist etwas schiefgegangen",
      lead: "Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.",
    },
  },
  failurePage: {
    toApp: (app) => html`Weiter zu ${app}`,
    help: "Hilfe holen. Nennen Sie uns die Nummer unten",
    wait: (seconds) =>
      seconds === 1
        ? "Bitte versuchen Sie es in einer Sekunde wieder."
        : `Bitte versuchen Sie es in ${seconds} Sekunden wieder.`,
    approved: (app, shop) => html`Sie haben ${app} für ${shop} zugelassen. Hier ist nichts mehr zu tun.`,
    unnamedApp: "Die App",
    forDevelopers: "Für Entwickler",
    requestId: "Anfrage",
  },
  noServer: {
    lead: "Wir können im Augenblick nicht antworten. Bitte warten Sie ein paar Sekunden und versuchen Sie es dann noch einmal.",
    tryAgain: "Noch einmal versuchen",
  },
  waiting: { decision: (app) => html`${app} wartet auf Ihre Entscheidung.`, continue: "Jetzt entscheiden" },
  partner: {
    choose: {
      title: "Ihre Apps",
      lead: "Wählen Sie die App, deren Seiten Sie sehen möchten.",
    },
    disabled: "Wir haben diese App gesperrt: Ihre Aufrufe werden abgelehnt. Bitte fragen Sie uns.",
    outOfDate: "Es wurde nichts geändert, denn diese Seite war veraltet. Bitte versuchen Sie es noch einmal.",
    overview: {
      title: "Übersicht",
      facts: "Ihre App",
      name: "Name der App",
      clientId: "Client-ID",
      redirectUris: "Redirect-URIs",
      scope: "Berechtigungen",
      askUs: "Um davon etwas zu ändern, schreiben Sie uns",
      askOperator: "Um davon etwas zu ändern, wenden Sie sich an den Betreiber, der die App registriert hat.",
      attention: "Was ansteht",
      nothing: "Im Moment nichts.",
      refusals: (count) => `${count} abgelehnte Aufrufe in 7 Tagen`,
      secrets: "Zwei Geheimnisse gelten: Beenden Sie das frühere.",
      webhooks: "Ein Webhook schlägt fehl.",
    },
    connections: {
      title: "Verbindungen",
      search: "Shop suchen: Anfang des Namens oder der Domain, oder eine ID",
      show: "Anzeigen",
      byStatus: "Zustand",
      all: "Alle",
      none: "Keine Verbindung gefunden.",
      noneYet: "Noch ist kein Shop verbunden.",
      first: "Erste Seite",
      next: "Nächste Seite",
      status: {
        connected: "Verbunden",
        approved: "Erneut genehmigt",
        expired: "Abgelaufen",
        disabled: "Von uns angehalten",
        revoked: "Beendet",
      },
      connected: "Verbunden seit",
      expires: "Läuft unbenutzt ab",
      never: "Noch nicht",
      id: "Verbindungs-ID",
      shopId: "Shop-ID",
      refused: "Kürzlich abgelehnt",
      notRefused: "Nichts in den letzten sieben Tagen.",
      disconnect: {
        title: (shop) => `${shop} trennen?`,
        lead: (shop) => html`Ihr Zugriff auf ${shop} endet sofort, wie durch POST /oauth/api/revoke.`,
        consequence:
          "Ihre Tokens für diesen Shop gelten nicht mehr. Nur der Händler kann ihn wieder verbinden. Die Mitglieder des Shops erfahren es.",
        done: "Die Verbindung ist beendet.",
      },
    },
    refusals: {
      title: "Was schiefging",
      lead: "Aufrufe der letzten 7 Tage, die abgelehnt wurden oder scheiterten, der neueste Grund zuerst. Ein Aufruf erscheint zehn Sekunden nach seiner Antwort.",
      find: "Die x-request-id einer Antwort",
      none: "In den letzten 7 Tagen wurde kein Aufruf abgelehnt.",
      notFound: "Kein abgelehnter Aufruf dieser App hat diese Kennung.",
      nobodys:
        "Vielleicht ist er älter als 7 Tage, oder seine Antwort ist noch keine zehn Sekunden alt. Von vielen Ablehnungen aus einem Grund werden manche nur gezählt. Eine 401 der API und eine 429 des Token-Endpunkts gehören zu keiner App. Was dann hilft, steht in der Anleitung:",
      counted: (count, kept) => `${count} in 7 Tagen, davon ${kept} aufbewahrt`,
      cause: "Ursache",
      cure: "Abhilfe",
      guide: "Fehler, in der Anleitung",
      param: "Parameter",
      more: "Weitere aus diesem Grund",
      others: "Andere Gründe",
      exact:
        "Jeder abgelehnte Aufruf der App wird gezählt, auch unter Last. Ein Server, der plötzlich endet, verliert, was er in seinen letzten zehn Sekunden gezählt hat; nach einer Störung unserer Datenbank kann eine Zahl zu hoch sein.",
    },
    usage: {
      title: "Nutzung",
      byHour: "48 Stunden",
      byDay: "30 Tage",
      none: "In dieser Zeit hat die App nichts getan.",
      all: "Alles",
      columns: {
        calls: "Aufrufe",
        records: "Datensätze",
        refused: "4xx",
        limited: "429",
        failed: "5xx",
        tokens: "Tokens",
        noTokens: "Kein Token",
      },
      limits: "Grenzen",
      ofConnection: (calls) => `${calls} Aufrufe pro Minute für jede Verbindung`,
      ofAddress: (calls) => `${calls} Aufrufe pro Minute von jeder Ihrer IP-Adressen`,
      ofBrowser: (calls) => `${calls} Aufrufe pro Minute von der IP-Adresse jedes Händlers`,
      guide: "Grenzen, in der Anleitung",
    },
    webhooks: {
      title: "Webhooks",
      lead: "Ihre Endpunkte für Hinweise, mit den letzten zehn Zustellungen an jeden.",
      guide: "Webhooks, in der Anleitung",
      none: "Die App hat keinen Endpunkt. Bitten Sie uns, einen anzulegen.",
      status: { active: "Aktiv", paused: "Angehalten" },
      failingSince: "Jede Zustellung scheitert seit",
      paused: "Zugestellt wird nur, was Sie hier senden. Bitten Sie uns, den Endpunkt fortzusetzen.",
      test: "Test senden",
      testSent: "Der Test ist unterwegs. Öffnen Sie die Seite noch einmal, um zu sehen, wie er ankam.",
      refused: "Es wurde nichts gesendet: Den Endpunkt oder die App gibt es nicht mehr.",
      noDeliveries: "Es wurde noch nichts zugestellt.",
      noAnswer: "Keine Antwort",
    },
    credentials: {
      title: "Zugangsdaten",
      lead: "Das Client-Secret, mit dem Ihre Server Tokens anfordern. Wir speichern keines: Jedes wird einmal angezeigt.",
      only: "Client-Secret",
      newest: "Neues Secret",
      former: "Bisheriges Secret",
      createdAt: "Erstellt",
      inHour: (time) => html`in der Stunde ab ${time}`,
      unused: "Noch nicht gesehen",
      worksUntil: "Gilt bis",
      noEnd: "Sie es ersetzen",
      make: "Zweites Secret erstellen",
      makeLead:
        "Beide gelten, bis das bisherige endet. Richten Sie das neue auf allen Ihren Servern ein, und beenden Sie hier das bisherige, sobald es nicht mehr verwendet wird.",
      days: "Tage, bis das bisherige Secret endet (1 bis 30)",
      overlap: (time) => html`Beide Secrets gelten bis ${time}. Bis dahin kann kein drittes erstellt werden.`,
      keep: "So lassen",
      end: {
        title: "Bisheriges Secret beenden?",
        action: "Bisheriges Secret beenden",
        lead: "Aufrufe damit werden sofort abgelehnt. Stellen Sie sicher, dass keiner Ihrer Server es verwendet: Eine Verwendung ist hier nach einer Minute zu sehen, auf die Stunde genau.",
      },
      replace: {
        title: "Neues Secret ersetzen?",
        action: "Neues Secret ersetzen",
        lead: "Wenn das neue Secret verloren ging: Es endet sofort, und Sie bekommen ein anderes. Das bisherige gilt bis zu seinem Ende.",
      },
      made: {
        title: "Ihr neues Client-Secret",
        lead: "Kopieren Sie es jetzt, und bewahren Sie es auf, wo nur Ihre Server es lesen. Es wird nie wieder angezeigt.",
        kept: "Ich habe es aufbewahrt",
      },
      problem: {
        days: "Es wurde kein Secret erstellt. Wählen Sie 1 bis 30 Tage.",
        underWay: "Es wurde kein Secret erstellt: Es gibt schon zwei. Wenn das neue verloren ging, ersetzen Sie es.",
      },
    },
    testShops: {
      title: "Testshops",
      lead: "Shops mit erfundenen Antworten. Sie verbinden Ihre App damit wie ein Händler, und niemandes Daten sind betroffen. Solange Ihre App sie liest, kommen jede Minute Antworten dazu, eine wird neu eingeordnet, und einige werden gelöscht.",
      none: "Es gibt noch keinen Testshop.",
      make: "Testshop anlegen",
      full: "Mehr als fünf sind nicht möglich. Löschen Sie einen, um einen anderen anzulegen.",
      state: {
        filling: "Die Antworten werden erzeugt: das dauert einige Sekunden",
        ready: "Bereit: wählen Sie ihn, wenn Ihre App nach einem Shop fragt",
        ending: "Wird gelöscht",
      },
      delete: "Löschen",
      keep: "Behalten",
      deleteTitle: (shop) => `${shop} löschen?`,
      deleteLead: "Seine Antworten und seine Verbindung sind innerhalb einer Minute endgültig gelöscht.",
      tooMany: "Mehr als fünf Testshops sind nicht möglich. Löschen Sie einen, um einen anderen anzulegen.",
      guide: "Ihre Integration testen (Anleitung)",
      connection: "Verbindung",
      sees: {
        none: "Ihre App ist mit diesem Shop nicht verbunden. Starten Sie die Verbindung in Ihrer App, und wählen Sie diesen Shop.",
        approved:
          "Der Shop ist freigegeben, und Ihre App hat den Code noch nicht eingetauscht. Tauschen Sie ihn innerhalb von fünf Minuten ein.",
        connected:
          "Ein Refresh antwortet 200 mit einem neuen Zugriffstoken, und API-Aufrufe damit werden mit 200 beantwortet. Zugriffstoken aus der Zeit vor einer Pause bleiben abgelehnt: Holen Sie zuerst ein neues.",
        expired:
          "Ein Refresh scheitert mit 400 invalid_grant, ‚refresh token expired‘, und GET /oauth/api/connections meldet ‚expired‘. Ein Zugriffstoken, das Ihre App noch hat, gilt bis zu seinem Ende. Verbinden Sie den Shop neu.",
        disabled:
          "Ein Refresh scheitert mit 400 invalid_grant, ‚grant revoked‘, und API-Aufrufe scheitern mit 403 forbidden. Aktivieren Sie die Verbindung, und dasselbe Refresh-Token gilt wieder.",
        revoked:
          "Ein Refresh scheitert mit 400 invalid_grant, ‚grant revoked‘, und API-Aufrufe scheitern mit 403 forbidden. Nur eine neue Freigabe verbindet den Shop wieder.",
      },
      act: {
        expire: "Verbindung ablaufen lassen",
        revoke: "Widerrufen",
        disable: "Deaktivieren",
        enable: "Aktivieren",
        add: "20 Antworten hinzufügen",
        recategorize: "5 neu einordnen",
        delete: "Eine löschen",
      },
      responses: (count) => `Antworten: ${count}`,
      waits: {
        add: "20 Antworten werden in wenigen Sekunden hinzugefügt.",
        recategorize: "Fünf Antworten werden in wenigen Sekunden neu eingeordnet.",
        delete: "Eine Antwort wird in wenigen Sekunden gelöscht.",
      },
      look: "Noch einmal nachsehen",
      did: {
        add: "20 Antworten wurden hinzugefügt. Ein Durchlauf nach updated_at_asc ab Ihrem letzten Stand zeigt sie, und GET /oauth/api/changes nennt die Verbindung mit der Art ‚responses‘.",
        recategorize:
          "Fünf Antworten haben einen anderen Wert in ‚response‘, und den ersten in ‚original_response‘. Ein Durchlauf nach updated_at_asc ab Ihrem letzten Stand zeigt sie noch einmal.",
        delete:
          "Eine Antwort wurde gelöscht. GET /api/deleted-responses nennt sie, und GET /oauth/api/changes nennt die Verbindung mit der Art ‚deletions‘.",
      },
      didNot: {
        add: "Es wurde nichts hinzugefügt: Ein Test-Shop hat höchstens 5.000 Antworten. Löschen Sie den Shop, und legen Sie einen anderen an.",
        recategorize: "Es wurde nichts neu eingeordnet: Der Shop hat keine Antworten, die sich ändern lassen.",
        delete: "Es wurde nichts gelöscht: Der Shop hat keine Antworten.",
      },
      changedMeanwhile:
        "Es wurde nichts geändert: Die Verbindung oder der Shop hat sich inzwischen geändert. Unten steht, wie es jetzt ist.",
    },
  },
};
