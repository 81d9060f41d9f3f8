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
};
