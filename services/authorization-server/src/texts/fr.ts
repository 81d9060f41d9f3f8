import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. `\u00a0` keeps a sign with its word. */
const inMinutes = (minutes: number) => (minutes === 1 ? "dans une minute" : `dans ${minutes} minutes`);

export const fr: Texts = {
  language: "fr",
  languageName: "Français",
  skipToContent: "Aller au contenu",
  plan: { standard: "forfait Standard", advanced_attribution: "forfait Attribution avancée" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.fr["responses:read"],
      does: "Toutes les réponses de votre clientèle, passées et à venir.",
      personalData: "les adresses e-mail et les commandes de votre clientèle",
      doesNot: "L’application ne peut rien modifier ni supprimer.",
    },
    "sources:write": {
      title: SCOPE_TITLES.fr["sources:write"],
      does: "De nouvelles sources, comme des podcasts ou des chaînes, auxquelles des réponses peuvent être attribuées.",
      personalData: null,
      doesNot: "L’application ne peut pas retirer de source.",
    },
  },
  frame: {
    language: "Langue",
    help: "Aide",
    privacy: "Confidentialité",
    terms: "Conditions d’utilisation",
    account: "Compte",
    partner: "Pages partenaires",
    docs: "Documentation",
    error: "Erreur\u00a0:",
    outOfDate: "Cette page n’était plus à jour et rien n’a été modifié. Veuillez réessayer.",
  },
  signIn: {
    title: "Se connecter",
    lead: (app) =>
      app
        ? html`${app} demande l’accès à votre boutique. Connectez-vous pour voir de quoi il s’agit. Rien n’est partagé avant votre accord.`
        : html`Connectez-vous pour voir et gérer les applications reliées à vos boutiques.`,
    email: "Adresse e-mail",
    password: "Mot de passe",
    wrong: "L’adresse e-mail ou le mot de passe est incorrect. Veuillez réessayer.",
    paused: "Votre compte est suspendu\u00a0: personne ne peut s’y connecter.",
    tooManyAttempts: (minutes) => `Trop de tentatives de connexion. Veuillez réessayer ${inMinutes(minutes)}.`,
    outOfDate: "Cette page n’était plus à jour et rien n’a été envoyé. Veuillez vous connecter de nouveau.",
    sessionEnded:
      "Votre session est terminée et vous avez été déconnecté(e). Rien n’a été partagé. Veuillez vous reconnecter.",
    signedOut: "Vous êtes déconnecté(e).",
    signedOutEverywhere: "Vous êtes déconnecté(e) partout.",
    passwordChanged: "Votre nouveau mot de passe est enregistré. Connectez-vous maintenant avec celui-ci.",
    forgot: "Mot de passe oublié\u00a0?",
    decline: (app) => html`Ne pas relier ${app}`,
    safety: (product, host) =>
      html`Il s’agit de votre compte ${product}, et vous êtes sur ${host}. Ne saisissez son mot de passe que sur cette page. Une application n’en a jamais besoin.`,
    openId: {
      button: (provider) => html`Continuer avec ${provider}`,
      tryAgain: "Réessayer",
      another: (provider) => html`Utiliser un autre compte ${provider}`,
      back: "Retour à la connexion",
      problem: {
        unavailable: {
          title: (provider) => `${provider} ne répond pas`,
          lead: (provider) =>
            html`Nous n’avons pas pu joindre ${provider}, ou pas compris sa réponse. Rien n’est perdu et rien n’a été partagé. Veuillez réessayer dans une minute.`,
        },
        cancelled: {
          title: () => "Vous ne vous êtes pas connecté(e)",
          lead: (provider) => html`Vous avez interrompu la connexion chez ${provider}. Rien n’a été partagé.`,
        },
        ended: {
          title: () => "Cette connexion est terminée",
          lead: () =>
            html`Elle a déjà servi, a pris trop de temps ou a commencé dans un autre navigateur. Veuillez recommencer.`,
        },
        no_account: {
          title: () => "Aucun compte n’a cette adresse",
          lead: (provider, email) =>
            html`Chez ${provider}, vous êtes ${email}, et personne n’a de compte avec cette adresse ici. Si vous avez un autre compte ${provider}, utilisez-le. Si vous n’avez pas encore de compte, demandez-nous un compte avec cette adresse.`,
        },
        unverified: {
          title: () => "Votre adresse n’est pas vérifiée",
          lead: (provider) =>
            html`${provider} n’a pas vérifié votre adresse e-mail. Nous ne pouvons donc pas savoir quel compte est le vôtre ici. Vérifiez l’adresse chez ${provider}, puis réessayez.`,
        },
        joined_with_another: {
          title: () => "Un autre compte se connecte ici",
          lead: (provider, email) =>
            html`Ici, le compte ${email} appartient à un autre compte ${provider}, qui avait cette adresse auparavant. Utilisez celui-là. S’il n’existe plus, nous seuls pouvons vous donner le compte d’ici.`,
        },
        paused: {
          title: () => "Votre compte est suspendu",
          lead: () => html`Personne ne peut s’y connecter pour le moment.`,
        },
      },
    },
  },
  password: {
    present: "Mot de passe actuel",
    chosen: "Nouveau mot de passe",
    repeated: "Nouveau mot de passe, une seconde fois",
    rule: "Au moins 15 caractères. Quatre ou cinq mots sans rapport entre eux sont sûrs et faciles à retenir\u00a0; les espaces sont permis. Ni votre adresse e-mail, ni votre nom, ni votre boutique, ni notre nom.",
    problem: {
      too_short: "C’est trop court\u00a0: choisissez au moins 15 caractères.",
      too_long: "C’est trop long\u00a0: choisissez au plus 256 caractères.",
      blank: "Ce ne sont que des espaces. Veuillez choisir quelque chose qui se lise.",
      common: "Beaucoup de gens ont ce mot de passe, il est donc essayé en premier. Veuillez en choisir un autre.",
      personal:
        "Ce n’est guère plus qu’un nom que d’autres connaissent, il est donc essayé en premier. Veuillez choisir autre chose.",
      wrong: "Ce n’est pas votre mot de passe actuel.",
      same: "C’est déjà votre mot de passe. Veuillez en choisir un autre.",
      not_repeated:
        "Les deux nouveaux mots de passe ne sont pas identiques. Veuillez saisir le nouveau encore une fois.",
    },
    tooManyAttempts: (minutes) =>
      `Trop de tentatives avec un mot de passe incorrect. Veuillez réessayer ${inMinutes(minutes)}.`,
    change: {
      title: "Changer votre mot de passe",
      lead: "Vous restez connecté(e) ici. Partout ailleurs, vous serez déconnecté(e).",
      submit: "Changer le mot de passe",
      done: "Votre mot de passe est changé. Vous êtes déconnecté(e) partout ailleurs.",
    },
    reset: {
      title: "Choisir un nouveau mot de passe",
      lead: (email) =>
        html`Pour le compte ${email}. Vous serez déconnecté(e) partout et pourrez ensuite vous connecter avec le nouveau mot de passe.`,
      submit: "Enregistrer le mot de passe",
    },
    ended: {
      title: "Ce lien n’est plus valable",
      lead: "Un lien pour choisir un mot de passe sert une seule fois\u00a0: pendant 30 minutes, ou pendant sept jours pour un nouveau compte. Un lien plus récent y met fin. Si vous venez de choisir un mot de passe avec ce lien, connectez-vous avec celui-ci.",
      next: "Sinon, demandez un nouveau lien.",
    },
    forgot: {
      title: "Mot de passe oublié",
      lead: "Nous n’envoyons pas de mots de passe par e-mail. Vous recevez un lien de notre part et choisissez vous-même un nouveau mot de passe.",
      steps: [
        "Demandez-nous un lien pour choisir un nouveau mot de passe. Indiquez-nous l’adresse e-mail avec laquelle vous vous connectez.",
        "Ouvrez le lien dans les 30 minutes. Il sert une seule fois.",
        "Choisissez un nouveau mot de passe et connectez-vous avec celui-ci. Vos boutiques et vos applications reliées restent telles quelles. Si une application vous a envoyé ici, recommencez depuis cette application.",
      ],
      askHere: "Comment nous joindre",
    },
    forgotByMail: {
      notAnAddress: "Ce n’est pas une adresse e-mail complète, comme anna@shop.example.",
      lead: "Saisissez l’adresse e-mail avec laquelle vous vous connectez. Nous vous envoyons un lien pour choisir un nouveau mot de passe.",
      submit: "Envoyer le lien",
      outOfDate: "Cette page n’était plus à jour et rien n’a été envoyé. Veuillez essayer encore une fois.",
      tooMany: (minutes) =>
        `Plusieurs e-mails ont été demandés en peu de temps. Consultez votre messagerie ou réessayez ${inMinutes(minutes)}.`,
      sent: {
        title: "Consultez votre messagerie",
        lead: (from) =>
          html`S’il existe un compte avec cette adresse, un e-mail de ${from} est en route. Son lien sert une seule fois, pendant 30 minutes.`,
        noMail: "Si aucun e-mail n’arrive dans les cinq minutes\u00a0:",
        steps: [
          "Regardez aussi dans le dossier des indésirables.",
          "Peut-être vous connectez-vous avec une autre adresse, ou celle-ci était mal écrite. Demandez le lien encore une fois.",
        ],
        again: "Demander encore une fois",
      },
    },
  },
  consent: {
    title: (app) => `Relier ${app}`,
    heading: (app) => html`Relier ${app} à votre boutique\u00a0?`,
    lead: (host) => html`Quelle que soit votre décision, vous reviendrez sur ${host}.`,
    chooseShop: "Quelle boutique\u00a0?",
    oneShop: "Votre boutique",
    by: (publisher) => html`Par ${publisher}`,
    verified: (product, date) => html`Vérifiée par ${product} le ${date}`,
    allowOptional: "Autoriser cela aussi. Vous pouvez l’exclure.",
    optional: "facultatif",
    nothingLeft: "Vous avez exclu tout ce que l’application demande. Veuillez en autoriser une partie, ou refuser.",
    privacyPolicy: "Politique de confidentialité",
    wouldAllow: "Si vous approuvez, l’application pourra",
    personalData: "Données personnelles\u00a0:",
    notGranted: (plan) => `Non accordé\u00a0: non inclus dans le ${plan}.`,
    notGrantedWith: (plans) => `Non accordé pour les boutiques avec le ${plans}, où ce n’est pas inclus.`,
    lasts: "L’accès dure jusqu’à ce que vous y mettiez fin",
    ending: (link, duration) =>
      html`Vous pouvez le faire à tout moment sous ${link}. Il expire si l’application ne l’utilise pas pendant ${duration}.`,
    willNever:
      "L’application ne voit jamais votre mot de passe et n’a accès ni à ce qui ne figure pas ici ni à d’autres boutiques.",
    findShop: "Chercher une boutique par nom ou domaine",
    find: "Chercher",
    found: (found, all) => `${found} sur ${all} boutiques`,
    foundNone: "Aucune boutique trouvée. Essayez avec une partie du nom ou du domaine.",
    showAll: "Tout afficher",
    allowedNow: "Autorisé actuellement\u00a0:",
    adds: "Votre accord ajoute\u00a0:",
    drops: "Votre accord retire\u00a0:",
    unchanged: "Ce que l’application peut faire ne change pas.",
    replaces:
      "Votre accord remplace l’accès actuel de l’application. Elle n’aura le nouveau qu’après avoir fini de se relier.",
    pausedMeans: html`<b>Suspendue\u00a0:</b> Nous avons suspendu cette application pour la boutique.`,
    unavailable: "Indisponible",
    unavailableMeans: html`<b>Indisponible\u00a0:</b> Le forfait de la boutique n’inclut rien de ce que l’application demande.`,
    away: "Inaccessible",
    awayMeans: html`<b>Inaccessible\u00a0:</b> Nous ne pouvons pas lire les connexions de cette boutique pour le moment. Veuillez réessayer dans quelques minutes.`,
    held: "Ne peut pas être choisie\u00a0: nous avons suspendu cette application pour cette boutique.",
    approve: "Approuver",
    approveFor: (shop) => html`Approuver pour ${shop}`,
    decline: "Refuser",
    chooseFirst: "Veuillez d’abord choisir la boutique.",
    notOffered: "Cette boutique ne peut pas être choisie. Veuillez choisir l’une des boutiques ci-dessous.",
    changed: "Ce qui peut être accordé a changé depuis l’ouverture de cette page. Veuillez vérifier avant d’approuver.",
    otherAccount: "Vous êtes maintenant connecté(e) avec un autre compte. Veuillez vérifier avant d’approuver.",
    outOfDate: "Cette page n’était plus à jour et rien n’a été approuvé. Veuillez vérifier avant d’approuver.",
    noShops: "Il n’y a pas encore de boutique dans votre compte",
    noShopsLead:
      "Une application ne peut être reliée qu’à une boutique. Demandez-nous de vous ajouter à votre boutique, ou utilisez un autre compte. Vous pouvez aussi revenir à l’application sans la relier.",
    back: (app) => html`Retour à ${app}`,
  },
  nothingToGrant: {
    title: (shops) =>
      shops === 1 ? "Votre boutique ne peut pas être reliée" : "Vos boutiques ne peuvent pas être reliées",
    lead: (app) => html`Rien ne peut être accordé à ${app} pour le moment.`,
    notInPlan: (asked, plan) => `L’application demande «\u00a0${asked}\u00a0». Ce n’est pas inclus dans le ${plan}.`,
    notAllowed: "L’application ne peut plus demander cela. Veuillez en informer le développeur de l’application.",
    held: "Nous avons suspendu cette application.",
    more: (shops) => (shops === 1 ? "1 autre boutique" : `${shops} autres boutiques`),
  },
  decline: {
    title: "Refuser cette demande\u00a0?",
    lead: (app, host) => html`${app} n’obtient aucun accès et vous revenez sur ${host}.`,
    back: "Retour",
  },
  returnToPartner: {
    title: "Vous retournez à l’application",
    lead: (app) => html`Nous vous redirigeons vers ${app}.`,
    link: "Continuer",
  },
  connectedApps: {
    title: "Applications reliées",
    lead: "Ces applications peuvent utiliser des données de vos boutiques. Vous pouvez retirer chacune d’elles, avec effet immédiat.",
    none: "Aucune application n’est reliée à cette boutique.",
    away: "Nous ne pouvons pas lire les connexions de cette boutique pour le moment. Rien n’y a changé. Veuillez réessayer dans quelques minutes.",
    noShops: "Il n’y a pas encore de boutique dans votre compte. Demandez-nous de vous ajouter à votre boutique.",
    can: "Autorisée à",
    approvedBy: "Approuvée par",
    more: "Détails",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Dernière utilisation",
    expires: "Accès",
    expiresIfUnused: (date) => html`Expire le ${date} sans utilisation d’ici là`,
    status: { connected: "Reliée", approved: "Pas encore terminée", expired: "Expirée", disabled: "Suspendue" },
    approved:
      "L’application a été approuvée, mais elle n’a pas encore fini de se relier. Elle n’aura accès qu’à ce moment-là. Si cela dure plus de quelques minutes, recommencez dans l’application.",
    expired:
      "L’application n’a pas utilisé son accès pendant longtemps, il a donc pris fin. Elle peut vous demander de la relier de nouveau.",
    disabled: "Nous avons suspendu cet accès. L’application n’a aucun accès pour le moment.",
    disconnect: "Retirer",
    records: (count, number) => (count === 1 ? "1 enregistrement" : `${number} enregistrements`),
    calls: (count, number) => (count === 1 ? "en 1 appel" : `en ${number} appels`),
    read: "Lu ces 30 derniers jours",
    readNothing: "Rien",
    search: "Trouver une boutique ou une application",
    earlier: "Précédent",
    later: "Suivant",
    pageOf: (page, pages) => `Page ${page} sur ${pages}`,
    without: (shops) => (shops === 1 ? "1 boutique sans application" : `${shops} boutiques sans application`),
    moreWithout: (shops) =>
      shops === 1 ? "Et 1 autre : cherchez son nom." : `Et ${shops} autres : cherchez leurs noms.`,
    deletion: (contact) => html`Pour faire supprimer ce qu’elle a lu, écrivez à ${contact}.`,
    howToConnect:
      "Pour en relier une, commencez dans l’application elle-même. Elle vous envoie ici, où vous choisissez la boutique et approuvez.",
    disconnected: (app, shop) => html`L’application ${app} a été retirée et n’a plus accès à ${shop}.`,
  },
  disconnect: {
    title: (app) => `Retirer ${app}`,
    heading: (app, shop) => html`Retirer à ${app} l’accès à ${shop}\u00a0?`,
    lead: (app, shop) => html`${app} perd immédiatement son accès à ${shop}.`,
    consequences: (app) => [
      html`${app} ne peut plus rien lire ni ajouter.`,
      html`Le développeur de l’application conserve ce qui a été lu. Adressez-vous à lui si vous souhaitez l’effacer.`,
      html`Votre boutique et vos sondages restent tels quels. Vous pourrez relier l’application de nouveau plus tard.`,
    ],
    unfinished: (app, shop) =>
      html`${app} n’a pas encore fini de se relier à ${shop}. Si vous retirez l’application maintenant, votre accord ne vaut plus et elle n’obtient aucun accès. Vous pourrez la relier de nouveau plus tard.`,
    keep: "Conserver l’accès",
  },
  account: {
    signedInAs: (merchant, email) => html`Connecté(e) en tant que ${merchant} ${email}`,
    useAnother: "Utiliser un autre compte",
    signOut: "Se déconnecter",
    signOutEverywhere: "Se déconnecter partout",
    changePassword: "Changer de mot de passe",
  },
  passkeys: {
    title: "Clés d’accès",
    lead: "Une clé d’accès est conservée par votre appareil ou votre gestionnaire de mots de passe. Dès que vous en avez une, votre mot de passe ne suffit plus : nous demandons la clé d’accès quand vous vous connectez sur un nouvel appareil, et avant qu’une application obtienne des données personnelles de vos clients.",
    none: "Vous n’avez pas encore de clé d’accès.",
    since: (date) => html`Ajoutée ${date}.`,
    used: (date) => html`Dernière utilisation ${date}.`,
    unused: "Pas encore utilisée.",
    change: "Renommer ou supprimer",
    name: "Nom de la clé d’accès",
    newName: "Ma clé d’accès",
    rename: "Renommer",
    remove: "Supprimer",
    removes: "Plus personne ne pourra utiliser cette clé d’accès ici. Vous serez déconnecté(e) partout ailleurs.",
    removesLast:
      "C’est votre seule clé d’accès. Sans elle, le mot de passe suffit de nouveau. Vous serez déconnecté(e) partout ailleurs.",
    add: "Ajouter une clé d’accès",
    proveFirst: "Avant de modifier quoi que ce soit ici, confirmez que c’est bien vous.",
    done: {
      added: "La clé d’accès est ajoutée. Vous êtes déconnecté(e) partout ailleurs.",
      renamed: "La clé d’accès a son nouveau nom.",
      removed: "La clé d’accès est supprimée. Vous êtes déconnecté(e) partout ailleurs.",
    },
    problem: {
      name: "Veuillez saisir un nom lisible, de 100 caractères au plus.",
      not_made:
        "La réponse de votre navigateur n’a pas pu être vérifiée ; aucune clé d’accès n’a été ajoutée. Veuillez réessayer.",
      changed: "Votre compte a été modifié entre-temps, et rien n’a été fait. Veuillez vérifier.",
    },
    proof: {
      title: "Confirmez que c’est bien vous",
      lead: {
        sign_in: (email) =>
          html`Votre mot de passe est correct. Vous vous connectez à ${email} sur un appareil que nous ne connaissons pas ; nous demandons donc aussi votre clé d’accès.`,
        again: (email) => html`Utilisez la clé d’accès de ${email}. Vous continuerez ensuite là où vous étiez.`,
      },
      byPassword: (email) => html`Saisissez le mot de passe de ${email}. Vous continuerez ensuite là où vous étiez.`,
      use: "Utiliser la clé d’accès",
      confirm: "Confirmer",
      failed: "La clé d’accès n’a pas été utilisée. Veuillez réessayer.",
      noPasskey: {
        get: "Les clés d’accès ont besoin de scripts, que ce navigateur n’exécute pas ici, ou il ne connaît pas les clés d’accès. Utilisez un autre navigateur.",
        create:
          "Les clés d’accès ont besoin de scripts, que ce navigateur n’exécute pas ici, ou il ne connaît pas les clés d’accès. Utilisez un autre navigateur pour en ajouter une.",
      },
      lost: "Clé d’accès perdue ?",
      outOfDate: "Cette page n’était plus à jour. Veuillez réessayer.",
      wrong: "Cette clé d’accès ne peut pas être utilisée ici. Veuillez réessayer.",
    },
  },
  failure: {
    invalid_link: {
      title: "Ce lien ne fonctionne pas",
      lead: (app) =>
        html`${app} vous a envoyé ici avec une demande que nous ne pouvons pas accepter. Rien n’a été partagé. Veuillez revenir à l’application et réessayer. Si cela se reproduit, informez-en le développeur de l’application.`,
    },
    client_disabled: {
      title: "Cette application ne peut pas être reliée",
      lead: (app) =>
        html`${app} ne peut relier aucune boutique pour le moment. Rien n’a été partagé. Veuillez vous adresser au développeur de l’application.`,
    },
    already_connected: {
      title: "Déjà reliée",
      lead: "Cette application est reliée à la boutique choisie. Il n’y a plus rien à faire ici.",
    },
    ended: {
      title: "Cette demande est terminée",
      lead: "Elle a déjà reçu une réponse, a duré trop longtemps ou a été commencée dans un autre navigateur. Plus rien ne se passe ici. Pour relier une boutique, revenez à l’application et recommencez.",
    },
    foreign_form: {
      title: "Nous n’avons pas accepté cet envoi",
      lead: "Ce qui a été envoyé ne venait pas de l’une de nos pages, nous n’avons donc rien fait. Veuillez revenir en arrière et réessayer.",
    },
    bad_request: {
      title: "Nous n’avons pas pu lire cet envoi",
      lead: "Ce que votre navigateur a envoyé était incomplet, nous n’avons donc rien fait. Veuillez revenir en arrière et réessayer.",
    },
    not_found: {
      title: "Il n’y a rien ici",
      lead: "L’adresse contient peut-être une erreur, ou la page n’existe plus.",
    },
    too_many_requests: {
      title: "Trop de demandes",
      lead: "De nombreuses demandes sont venues de votre réseau en peu de temps.",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      lead: "Nous ne pouvons pas répondre pour le moment. Rien n’a été perdu et rien n’a été partagé. Veuillez réessayer dans quelques secondes.",
    },
    unexpected: {
      title: "Une erreur s’est produite chez nous",
      lead: "L’erreur vient de nous. Veuillez réessayer.",
    },
  },
  failurePage: {
    toApp: (app) => html`Aller à ${app}`,
    help: "Obtenir de l’aide. Indiquez-nous le numéro ci-dessous",
    wait: (seconds) =>
      seconds === 1 ? "Veuillez réessayer dans une seconde." : `Veuillez réessayer dans ${seconds} secondes.`,
    approved: (app, shop) => html`Vous avez autorisé ${app} pour ${shop}. Il n’y a plus rien à faire ici.`,
    unnamedApp: "L’application",
    forDevelopers: "Pour les développeurs",
    requestId: "Demande",
  },
  noServer: {
    lead: "Nous ne pouvons pas répondre pour le moment. Veuillez patienter quelques secondes, puis réessayer.",
    tryAgain: "Réessayer",
  },
  waiting: { decision: (app) => html`${app} attend votre décision.`, continue: "Reprendre la demande" },
  partner: {
    choose: {
      title: "Vos applications",
      lead: "Choisissez l’application dont vous voulez voir les pages.",
    },
    disabled: "Nous avons désactivé cette application\u00a0: ses appels sont refusés. Adressez-vous à nous.",
    outOfDate: "Rien n’a été modifié, car cette page n’était plus à jour. Veuillez réessayer.",
    overview: {
      title: "Vue d’ensemble",
      facts: "Votre application",
      name: "Nom",
      clientId: "Identifiant du client",
      redirectUris: "URI de redirection",
      scope: "Autorisations",
      askUs: "Pour modifier l’un de ces éléments, contactez-nous",
      askOperator: "Pour modifier l’un de ces éléments, adressez-vous à l’exploitant qui a enregistré l’application.",
      attention: "À faire",
      nothing: "Rien pour le moment.",
      refusals: (count) => `${count} appels refusés en 7 jours`,
      secrets: "Deux secrets fonctionnent\u00a0: mettez fin à l’ancien.",
      webhooks: "Un webhook échoue.",
    },
    connections: {
      title: "Connexions",
      search: "Chercher une boutique : début du nom ou du domaine, ou un identifiant",
      show: "Afficher",
      byStatus: "État",
      all: "Toutes",
      none: "Aucune connexion trouvée.",
      noneYet: "Aucune boutique n’est encore reliée.",
      first: "Première page",
      next: "Page suivante",
      status: {
        connected: "Reliée",
        approved: "Approuvée de nouveau",
        expired: "Expirée",
        disabled: "Suspendue par nous",
        revoked: "Terminée",
      },
      connected: "Reliée depuis",
      expires: "Expire sans utilisation",
      never: "Pas encore",
      id: "Identifiant de connexion",
      shopId: "Identifiant de boutique",
      refused: "Refus récents",
      notRefused: "Rien ces sept derniers jours.",
      disconnect: {
        title: (shop) => `Déconnecter ${shop}\u00a0?`,
        lead: (shop) => html`Votre accès à ${shop} prend fin aussitôt, comme par POST /oauth/api/revoke.`,
        consequence:
          "Vos jetons pour cette boutique ne fonctionnent plus. Seul le commerçant peut la relier de nouveau. Les membres de la boutique en sont informés.",
        done: "La connexion est terminée.",
      },
    },
    refusals: {
      title: "Ce qui a échoué",
      lead: "Les appels des 7 derniers jours qui ont été refusés ou ont échoué, le motif le plus récent d’abord. Un appel apparaît dix secondes après sa réponse.",
      find: "Le x-request-id d’une réponse",
      none: "Aucun appel n’a été refusé ces 7 derniers jours.",
      notFound: "Aucun appel refusé de cette application n’a cet identifiant.",
      nobodys:
        "Il a peut-être plus de 7 jours, ou sa réponse a moins de dix secondes. Quand un même motif revient souvent, certains refus sont seulement comptés. Une réponse 401 de l’API et une réponse 429 du point de terminaison de jetons n’appartiennent à aucune application. Le guide dit que faire\u00a0:",
      counted: (count, kept) => `${count} en 7 jours, dont ${kept} conservés`,
      cause: "Motif",
      cure: "Remède",
      guide: "Les erreurs, dans le guide",
      param: "paramètre",
      more: "Autres appels pour ce motif",
      others: "Autres motifs",
      exact:
        "Chaque appel refusé de l’application est compté, même sous charge. Un serveur arrêté brutalement perd ce qu’il a compté dans ses dix dernières secondes\u00a0; après une panne de notre base de données, un nombre peut être trop élevé.",
    },
    usage: {
      title: "Utilisation",
      byHour: "48 heures",
      byDay: "30 jours",
      none: "L’application n’a rien fait pendant cette période.",
      all: "Total",
      columns: {
        calls: "Appels",
        records: "Enregistr.",
        refused: "4xx",
        limited: "429",
        failed: "5xx",
        tokens: "Jetons",
        noTokens: "Sans jeton",
      },
      limits: "Limites",
      ofConnection: (calls) => `${calls} appels par minute pour chaque connexion`,
      ofAddress: (calls) => `${calls} appels par minute depuis chacune de vos adresses IP`,
      ofBrowser: (calls) => `${calls} appels par minute depuis l’adresse IP de chaque commerçant`,
      guide: "Les limites, dans le guide",
    },
    webhooks: {
      title: "Webhooks",
      lead: "Vos points de terminaison, avec les dix dernières livraisons à chacun.",
      guide: "Les webhooks, dans le guide",
      none: "L’application n’a pas de point de terminaison. Demandez-nous d’en ajouter un.",
      status: { active: "Actif", paused: "En pause" },
      failingSince: "Chaque livraison échoue depuis",
      paused: "Seul ce que vous envoyez ici est livré. Demandez-nous de relancer ce point de terminaison.",
      test: "Envoyer un test",
      testSent: "Le test est en route. Ouvrez de nouveau cette page pour voir comment il est arrivé.",
      refused: "Rien n’a été envoyé\u00a0: le point de terminaison ou l’application n’existe plus.",
      noDeliveries: "Rien n’a encore été livré.",
      noAnswer: "Pas de réponse",
    },
    credentials: {
      title: "Identifiants",
      lead: "Le secret client, avec lequel vos serveurs demandent des jetons. Nous n’en gardons aucun\u00a0: chacun est affiché une seule fois.",
      only: "Secret client",
      newest: "Nouveau secret",
      former: "Ancien secret",
      createdAt: "Créé",
      inHour: (time) => html`dans l’heure à partir du ${time}`,
      unused: "Pas encore vue",
      worksUntil: "Valable jusqu’au",
      noEnd: "jour où vous le remplacez",
      make: "Créer un second secret",
      makeLead:
        "Les deux fonctionnent jusqu’à la fin de l’ancien. Installez le nouveau sur tous vos serveurs, puis mettez fin ici à l’ancien dès qu’il n’est plus utilisé.",
      days: "Jours avant la fin de l’ancien secret (1 à 30)",
      overlap: (time) =>
        html`Les deux secrets fonctionnent jusqu’au ${time}. D’ici là, aucun troisième ne peut être créé.`,
      keep: "Laisser tel quel",
      end: {
        title: "Mettre fin à l’ancien secret\u00a0?",
        action: "Mettre fin à l’ancien secret",
        lead: "Les appels qui l’utilisent sont refusés aussitôt. Assurez-vous qu’aucun de vos serveurs ne l’utilise\u00a0: une utilisation est visible ici au bout d’une minute, à l’heure près.",
      },
      replace: {
        title: "Remplacer le nouveau secret\u00a0?",
        action: "Remplacer le nouveau secret",
        lead: "Si le nouveau secret est perdu\u00a0: il prend fin aussitôt et vous en recevez un autre. L’ancien continue jusqu’à son terme.",
      },
      made: {
        title: "Votre nouveau secret client",
        lead: "Copiez-le maintenant et conservez-le là où seuls vos serveurs le lisent. Il ne sera plus jamais affiché.",
        kept: "Je l’ai conservé",
      },
      problem: {
        days: "Aucun secret n’a été créé. Choisissez de 1 à 30 jours.",
        underWay: "Aucun secret n’a été créé\u00a0: il y en a déjà deux. Si le nouveau est perdu, remplacez-le.",
      },
    },
    testShops: {
      title: "Boutiques de test",
      lead: "Des boutiques aux réponses inventées. Vous y connectez votre app comme un commerçant, sans toucher aux données de personne. Tant que votre app les lit, chaque minute des réponses arrivent, une est reclassée et quelques-unes sont supprimées.",
      none: "Il n’y a pas encore de boutique de test.",
      make: "Créer une boutique de test",
      full: "Cinq au maximum. Supprimez-en une pour en créer une autre.",
      state: {
        filling: "Ses réponses sont en cours de création : quelques secondes",
        ready: "Prête : choisissez-la quand votre app demande une boutique",
        ending: "En cours de suppression",
      },
      delete: "Supprimer",
      keep: "La garder",
      deleteTitle: (shop) => `Supprimer ${shop} ?`,
      deleteLead: "Ses réponses et sa connexion disparaissent définitivement en une minute.",
      tooMany: "Cinq boutiques de test au maximum. Supprimez-en une pour en créer une autre.",
      guide: "Tester votre intégration, dans le guide",
      connection: "Connexion",
      sees: {
        none: "Votre application n’est pas connectée à cette boutique. Démarrez la connexion dans votre application et choisissez cette boutique.",
        approved:
          "La boutique est approuvée et votre application n’a pas encore échangé le code. Échangez-le dans les cinq minutes.",
        connected:
          "Un rafraîchissement répond 200 avec un nouveau jeton d’accès, et les appels à l’API reçoivent 200. Les jetons d’accès d’avant une pause restent refusés\u00a0: rafraîchissez d’abord.",
        expired:
          "Un rafraîchissement échoue avec 400 invalid_grant, ‘refresh token expired’, et GET /oauth/api/connections indique ‘expired’. Un jeton d’accès que votre application détient encore reste valable jusqu’à sa fin. Connectez de nouveau la boutique.",
        disabled:
          "Un rafraîchissement échoue avec 400 invalid_grant, ‘grant revoked’, et les appels à l’API échouent avec 403 forbidden. Activez la connexion, et le même jeton de rafraîchissement fonctionne de nouveau.",
        revoked:
          "Un rafraîchissement échoue avec 400 invalid_grant, ‘grant revoked’, et les appels à l’API échouent avec 403 forbidden. Seule une nouvelle approbation reconnecte la boutique.",
      },
      act: {
        expire: "Laisser expirer la connexion",
        revoke: "Révoquer",
        disable: "Désactiver",
        enable: "Activer",
        add: "Ajouter 20 réponses",
        recategorize: "En recatégoriser 5",
        delete: "En supprimer une",
      },
      responses: (count) => `Réponses\u00a0: ${count}`,
      waits: {
        add: "20 réponses vont être ajoutées dans quelques secondes.",
        recategorize: "Cinq réponses vont être recatégorisées dans quelques secondes.",
        delete: "Une réponse va être supprimée dans quelques secondes.",
      },
      look: "Regarder de nouveau",
      did: {
        add: "20 réponses ont été ajoutées. Un parcours par updated_at_asc depuis votre dernière position les montre, et GET /oauth/api/changes nomme la connexion avec le type ‘responses’.",
        recategorize:
          "Cinq réponses ont une autre valeur dans ‘response’, et la première dans ‘original_response’. Un parcours par updated_at_asc depuis votre dernière position les montre de nouveau.",
        delete:
          "Une réponse a été supprimée. GET /api/deleted-responses la nomme, et GET /oauth/api/changes nomme la connexion avec le type ‘deletions’.",
      },
      didNot: {
        add: "Rien n’a été ajouté\u00a0: une boutique de test a au plus 5\u202f000 réponses. Supprimez la boutique et créez-en une autre.",
        recategorize: "Rien n’a été recatégorisé\u00a0: la boutique n’a pas de réponse à modifier.",
        delete: "Rien n’a été supprimé\u00a0: la boutique n’a pas de réponse.",
      },
      changedMeanwhile:
        "Rien n’a été modifié\u00a0: la connexion ou la boutique a changé entre-temps. Voyez ci-dessous son état actuel.",
    },
  },
};
